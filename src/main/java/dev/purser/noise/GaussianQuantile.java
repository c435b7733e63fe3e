package dev.purser.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The quantiles of discrete Gaussian noise. Up to a variance of {@value #SUMMED} they are computed by summation. Above
 * it they come from the continuous Gaussian, half a step further out. This value is proved never to be below the
 * quantile. For probabilities down to 1e-300 it is less than a hundredth of a step above the quantile. All numbers are
 * computed in double, with a slack upwards. They are for accuracy statements, never for noise. See
 * {@code DiscreteGaussian.md}.
 */
final class GaussianQuantile {
    private static final double SUMMED = 1 << 16;

    // Far above the error of the sums and series below in double, and far below what a reader can notice.
    private static final double SLACK = 1e-12;

    /** Below this x the series of the Gaussian integral is used, and from it on the continued fraction of the tail. */
    private static final double SERIES_UP_TO = 2;

    private GaussianQuantile() {}

    /** The least {@code a >= 0} with {@code P(|X| > a) <= probability}, or one more where doubles cannot decide. */
    static BigInteger twoSided(Rational variance, double probability) {
        if (variance.signum() == 0 || probability >= 1) {
            return BigInteger.ZERO;
        }
        double sigmaSquared = variance.doubleValue();
        if (sigmaSquared <= SUMMED) {
            return BigInteger.valueOf(bySummation(sigmaSquared, probability));
        }
        // P(|X| > a) <= P(|N| > a + 1/2)
        double bound = Math.sqrt(sigmaSquared) * continuous(probability) * (1 + SLACK) - 0.5;
        return bound <= 0
                ? BigInteger.ZERO
                : new BigDecimal(bound).setScale(0, RoundingMode.CEILING).toBigInteger();
    }

    private static long bySummation(double sigmaSquared, double probability) {
        // P(|X| >= m) <= 2·exp(-m² / (2σ²)), so the sum beyond `last` is below 1e-17 of the given probability.
        long last = (long) Math.ceil(Math.sqrt(2 * sigmaSquared * (40 - Math.log(probability))));
        double sum = 0;
        for (long x = last; x > 0; x--) {
            sum += weight(x, sigmaSquared);
        }
        double allowed = probability * (1 + 2 * sum) * (1 - SLACK);
        double beyond = 0;
        for (long x = last; x > 0; x--) {
            beyond += 2 * weight(x, sigmaSquared);
            if (beyond > allowed) {
                return x;
            }
        }
        return 0;
    }

    private static double weight(long x, double sigmaSquared) {
        return Math.exp(-0.5 * x * x / sigmaSquared);
    }

    /** The least x with {@code P(|N| > x) <= probability} for the standard Gaussian N, by bisection. */
    private static double continuous(double probability) {
        double low = 0;
        double high = 40;
        double middle = high / 2;
        while (low < middle && middle < high) {
            if (tailIsAtMost(probability, middle)) {
                high = middle;
            } else {
                low = middle;
            }
            middle = (low + high) / 2;
        }
        return high;
    }

    private static boolean tailIsAtMost(double probability, double x) {
        // Each case uses the form without cancellation: near 0 the probability within x, far out the probability beyond
        // x.
        return x < SERIES_UP_TO ? within(x) >= 1 - probability : beyond(x) <= probability;
    }

    /** {@code P(|N| <= x) = sqrt(2/π) · exp(-x²/2) · (x + x³/3 + x⁵/(3·5) + …)}. */
    private static double within(double x) {
        double sum = 0;
        double term = x;
        for (int odd = 3; term > sum * 1e-17; odd += 2) {
            sum += term;
            term *= x * x / odd;
        }
        return density(x) * sum;
    }

    /** P(|N| > x) = sqrt(2/π) · exp(-x²/2) / (x + 1/(x + 2/(x + 3/(x + …)))). */
    private static double beyond(double x) {
        double fraction = x;
        for (int k = 100; k > 0; k--) {
            fraction = x + k / fraction;
        }
        return density(x) / fraction;
    }

    /** The density of |N|. */
    private static double density(double x) {
        return Math.sqrt(2 / Math.PI) * Math.exp(-0.5 * x * x);
    }
}
