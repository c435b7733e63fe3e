package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RandomBits;
import dev.purser.noise.RefinedLaplace;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One release of integers. A {@link Refinable} mechanism adds noise to its exact integers through this object, one
 * integer after the other. The object keeps the released integers. It keeps no noise and no draw.
 *
 * <p>A first release draws fresh noise. A refinement draws noise so that the noise of the earlier release is a blurred
 * copy of it. Both releases together then lose as much as the refinement alone: {@code RefinedLaplace.md}.
 */
public final class IntegerRelease {
    private final RandomBits bits;
    private final @Nullable ReleasedIntegers earlier;
    private final Iterator<long[]> earlierTables;
    private final List<ReleasedIntegers.One> released = new ArrayList<>();
    private boolean isLaplace = true;

    private IntegerRelease(RandomBits bits, @Nullable ReleasedIntegers earlier, Iterator<long[]> earlierTables) {
        this.bits = bits;
        this.earlier = earlier;
        this.earlierTables = earlierTables;
    }

    public static IntegerRelease first(RandomBits bits) {
        return new IntegerRelease(bits, null, Collections.emptyIterator());
    }

    /**
     * A release of the same exact integers as an earlier one.
     *
     * @param earlier integers that {@linkplain ReleasedIntegers#canBecome can become} the integers of this release
     * @param tables the tables of the earlier answer
     */
    public static IntegerRelease refining(ReleasedIntegers earlier, Iterator<long[]> tables, RandomBits bits) {
        return new IntegerRelease(bits, earlier, tables);
    }

    /** The answer of a mechanism. A refinement fails unless it refines all integers of the earlier release. */
    public <A> A answer(Mechanism<A> mechanism, Sensitive<List<Buckets>> exact) {
        if (mechanism instanceof Refinable<A> refinable) {
            A answer = refinable.release(exact, this);
            if (earlier != null && earlier.integers().size() != released.size()) {
                throw new IllegalStateException("the earlier release had other integers");
            }
            return answer;
        }
        if (earlier != null) {
            throw new IllegalStateException("this mechanism is not refined");
        }
        return mechanism.release(exact, bits);
    }

    /** The integer with noise. */
    BigInteger noisy(BigInteger exact, AdditiveNoise noise) {
        BigInteger value = exact.add(earlier == null ? noise.sample(bits) : refined(exact, noise, earlier));
        keep(value, noise);
        return value;
    }

    private BigInteger refined(BigInteger exact, AdditiveNoise noise, ReleasedIntegers from) {
        ReleasedIntegers.One before = from.integers().get(released.size());
        return later(before, noise).sample(before.value().subtract(exact), bits);
    }

    private static RefinedLaplace later(ReleasedIntegers.One before, AdditiveNoise noise) {
        if (noise instanceof AdditiveNoise.Laplace(DiscreteLaplace laplace)) {
            return new RefinedLaplace(before.scale(), laplace.scale());
        }
        throw new IllegalStateException("only Laplace noise is refined");
    }

    /**
     * A table with noise. The answer holds its numbers. This object keeps their scale and how many they are.
     *
     * @param exact each nearer to 0 than {@code most}
     * @param most a noisy number that is further from 0 is cut off there
     */
    long[] noisy(long[] exact, AdditiveNoise noise, long most) {
        IntFunction<BigInteger> drawn = earlier == null ? _ -> noise.sample(bits) : refined(exact, noise, earlier);
        long[] noisy = IntStream.range(0, exact.length)
                .mapToLong(i -> cut(drawn.apply(i).add(BigInteger.valueOf(exact[i])), most))
                .toArray();
        keep(BigInteger.valueOf(exact.length), noise);
        return noisy;
    }

    /**
     * A number that was cut off is used like any released number: {@code NoisySynopsis.md} says why the result is the
     * same.
     */
    private IntFunction<BigInteger> refined(long[] exact, AdditiveNoise noise, ReleasedIntegers from) {
        ReleasedIntegers.One before = from.integers().get(released.size());
        long[] numbers = earlierTables.next();
        if (numbers.length != exact.length) {
            throw new IllegalStateException("the earlier release had another table");
        }
        RefinedLaplace later = later(before, noise);
        return i -> later.sample(BigInteger.valueOf(numbers[i]).subtract(BigInteger.valueOf(exact[i])), bits);
    }

    static long cut(BigInteger number, long most) {
        return number.bitLength() < Long.SIZE ? Math.clamp(number.longValue(), -most, most) : number.signum() * most;
    }

    private void keep(BigInteger value, AdditiveNoise noise) {
        if (noise instanceof AdditiveNoise.Laplace(DiscreteLaplace laplace)) {
            released.add(new ReleasedIntegers.One(value, laplace.scale()));
        } else {
            isLaplace = false;
        }
    }

    /** The released integers; empty if some of them have noise that cannot be refined. */
    public Optional<ReleasedIntegers> released() {
        return isLaplace && !released.isEmpty() ? Optional.of(new ReleasedIntegers(released)) : Optional.empty();
    }
}
