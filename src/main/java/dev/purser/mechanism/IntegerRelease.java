package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RandomBits;
import dev.purser.noise.RefinedLaplace;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One release of integers. A {@link Refinable} mechanism adds noise to its exact integers through this, one after the
 * other. It keeps what was released, and neither the noise nor a draw.
 *
 * <p>A first release draws noise. A refinement draws the noise that the noise of an earlier release is a blurred copy
 * of, so that both together lose what this one loses alone: {@code RefinedLaplace.md}.
 */
public final class IntegerRelease {
    private final RandomBits bits;
    private final @Nullable ReleasedIntegers earlier;
    private final List<ReleasedIntegers.One> released = new ArrayList<>();
    private boolean isLaplace = true;

    private IntegerRelease(RandomBits bits, @Nullable ReleasedIntegers earlier) {
        this.bits = bits;
        this.earlier = earlier;
    }

    public static IntegerRelease first(RandomBits bits) {
        return new IntegerRelease(bits, null);
    }

    /**
     * A release of the same exact integers as an earlier one.
     *
     * @param earlier {@linkplain ReleasedIntegers#canBecome can become} what the mechanism releases
     */
    public static IntegerRelease refining(ReleasedIntegers earlier, RandomBits bits) {
        return new IntegerRelease(bits, earlier);
    }

    /** The answer of a mechanism. A refinement is of all integers of the earlier release, or it fails. */
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
        if (!(noise instanceof AdditiveNoise.Laplace(DiscreteLaplace laplace))) {
            if (earlier != null) {
                throw new IllegalStateException("only Laplace noise is refined");
            }
            isLaplace = false;
            return exact.add(noise.sample(bits));
        }
        BigInteger value = exact.add(earlier == null ? noise.sample(bits) : refined(exact, laplace, earlier));
        released.add(new ReleasedIntegers.One(value, laplace.scale()));
        return value;
    }

    private BigInteger refined(BigInteger exact, DiscreteLaplace laplace, ReleasedIntegers from) {
        ReleasedIntegers.One before = from.integers().get(released.size());
        return new RefinedLaplace(before.scale(), laplace.scale())
                .sample(before.value().subtract(exact), bits);
    }

    /** What was released; empty if some of it has noise that cannot be refined. */
    public Optional<ReleasedIntegers> released() {
        return isLaplace && !released.isEmpty() ? Optional.of(new ReleasedIntegers(released)) : Optional.empty();
    }
}
