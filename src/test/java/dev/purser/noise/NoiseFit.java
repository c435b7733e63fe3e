package dev.purser.noise;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import java.util.function.Predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Compares samplers with the distribution that they claim, which is written down directly. */
final class NoiseFit {
    /** A source of bits for a sampler that draws nothing. */
    static final RandomBits NONE = count -> {
        throw new AssertionError("drew bits");
    };

    private static final int CELLS = 80;

    private NoiseFit() {}

    /** Up to 80 cells of about equal probability, chi-square with false alarm 1e-6. */
    static void assertFits(
            Function<RandomBits, BigInteger> sampler,
            NoisePmf pmf,
            DoubleUnaryOperator inverse,
            RandomBits bits,
            int draws) {
        double[] upperEnds = new double[CELLS];
        double[] probabilities = new double[CELLS];
        double below = 0;
        for (int i = 0; i < CELLS; i++) {
            boolean isLast = i == CELLS - 1;
            upperEnds[i] =
                    isLast ? Double.POSITIVE_INFINITY : Math.rint(inverse.applyAsDouble((i + 1) / (double) CELLS));
            double atMost = isLast ? 1 : pmf.atMost(upperEnds[i]);
            probabilities[i] = Math.max(0, atMost - below);
            below = Math.max(below, atMost);
        }
        long[] observed = new long[CELLS];
        for (int i = 0; i < draws; i++) {
            double x = sampler.apply(bits).doubleValue();
            int cell = 0;
            while (x > upperEnds[cell]) {
                cell++;
            }
            observed[cell]++;
        }
        GoodnessOfFit.assertFits(observed, probabilities);
    }

    /** 160,000 draws of wide noise modulo 16: uniform to within 1e-12; chi-square, false alarm 1e-6. */
    static void assertNoPatternInTheLowOrderBits(Function<RandomBits, BigInteger> sampler, RandomBits bits) {
        long[] observed = new long[16];
        double[] uniform = new double[16];
        Arrays.fill(uniform, 1.0 / 16);
        for (int i = 0; i < 160_000; i++) {
            observed[sampler.apply(bits).mod(BigInteger.valueOf(16)).intValueExact()]++;
        }
        GoodnessOfFit.assertFits(observed, uniform);
    }

    /**
     * 200,000 draws with the production bits: how often they are zero, above, below, and at least {@code far} away.
     * Five standard deviations, false alarm 6e-7 for each of five frequencies.
     */
    static void assertSignZeroAndTail(Function<RandomBits, BigInteger> sampler, NoisePmf pmf, int far) {
        RandomBits bits = new SecureBits();
        int[] drawn = new int[200_000];
        Arrays.setAll(drawn, i -> sampler.apply(bits).intValueExact());
        assertFrequency(drawn, x -> x == 0, pmf.probability(0));
        assertFrequency(drawn, x -> x > 0, pmf.atLeast(1));
        assertFrequency(drawn, x -> x < 0, pmf.atMost(-1));
        assertFrequency(drawn, x -> x >= far, pmf.atLeast(far));
        assertFrequency(drawn, x -> x <= -far, pmf.atMost(-far));
    }

    /** Within five standard deviations: false alarm 6e-7. */
    static void assertFrequency(int[] drawn, Predicate<Integer> event, double probability) {
        double hits = Arrays.stream(drawn).filter(event::test).count();
        assertThat(hits / drawn.length)
                .isEqualTo(probability, within(5 * Math.sqrt(probability * (1 - probability) / drawn.length)));
    }

    /** 200,000 draws; five standard deviations and one draw, false alarm below 6e-7. */
    static void assertFrequency(Predicate<RandomBits> coin, double probability) {
        int draws = 200_000;
        RandomBits bits = new SeededBits(11);
        int hits = 0;
        for (int i = 0; i < draws; i++) {
            hits += coin.test(bits) ? 1 : 0;
        }
        double sigma = Math.sqrt(draws * probability * (1 - probability));
        assertThat((double) hits).isEqualTo(draws * probability, within(5 * sigma + 1));
    }

    /**
     * {@code P(X > a)} for each {@code a}, by summation.
     *
     * @param weight proportional to the probability of x and of −x
     * @param sides 2 if X can be negative, else 1
     */
    static double[] tail(LongToDoubleFunction weight, int length, int sides) {
        double[] beyond = new double[length];
        for (int a = length - 2; a >= 0; a--) {
            beyond[a] = beyond[a + 1] + weight.applyAsDouble(a + 1);
        }
        double total = weight.applyAsDouble(0) + sides * beyond[0];
        for (int a = 0; a < length; a++) {
            beyond[a] /= total;
        }
        return beyond;
    }

    /** The quantile leaves at most beta beyond it on these sides, and no smaller number does. */
    static void assertLeast(BigInteger quantile, double[] tail, int sides, double beta) {
        int least = quantile.intValueExact();
        assertThat(sides * tail[least]).isLessThanOrEqualTo(beta * (1 + 1e-10));
        if (least > 0) {
            assertThat(sides * tail[least - 1]).isGreaterThan(beta * (1 - 1e-10));
        }
    }
}
