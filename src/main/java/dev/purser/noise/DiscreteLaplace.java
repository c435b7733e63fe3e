package dev.purser.noise;

import java.math.BigInteger;

/**
 * The discrete Laplace distribution on the integers, {@code P(X = x) ∝ exp(-|x| / scale)}, for any rational scale,
 * sampled exactly. For two integers that differ by at most {@code Δ}, adding this noise with scale {@code Δ/ε} makes
 * every output {@code e^ε}-close: {@code exp(-|x|/b) <= exp(Δ/b) · exp(-|x+Δ|/b)}.
 *
 * <p>Scale 0 gives the constant 0, the noise of a statistic whose sensitivity is 0. The derivation of the sampler is in
 * {@code DiscreteLaplace.md}. Source: von Neumann 1951; Karney 2016; Ghosh, Roughgarden and Sundararajan 2009.
 */
public final class DiscreteLaplace {
    private static final int ITERATIONS = 60;

    private final OneSidedGeometric magnitudes;

    /**
     * The distribution with this scale.
     *
     * @param scale in grid steps, at least zero
     */
    public DiscreteLaplace(Rational scale) {
        this(scale, ScaledExponential.DIGIT_BITS);
    }

    DiscreteLaplace(Rational scale, int digitBits) {
        magnitudes = new OneSidedGeometric(scale, digitBits);
    }

    /** The noise of an {@code epsilon}-differentially private release of one integer of this sensitivity. */
    public static DiscreteLaplace calibrated(BigInteger l1Sensitivity, Rational epsilon) {
        return new DiscreteLaplace(Rational.of(l1Sensitivity).dividedBy(epsilon));
    }

    public Rational scale() {
        return magnitudes.scale();
    }

    /** Returns one exact draw, in grid steps. */
    public BigInteger sample(RandomBits bits) {
        if (scale().signum() == 0) {
            return BigInteger.ZERO;
        }
        // A fair sign makes the geometric magnitude two-sided. Rejecting (-, 0) keeps zero from being counted twice.
        while (true) {
            BigInteger magnitude = magnitudes.sample(bits);
            boolean negative = bits.next(1) == 1;
            if (!negative || magnitude.signum() != 0) {
                return negative ? magnitude.negate() : magnitude;
            }
        }
    }

    /** The least {@code a >= 0} with {@code P(|X| > a) <= probability}, rounded up where doubles cannot decide. */
    public BigInteger twoSidedQuantile(double probability) {
        return quantile(Math.log(2) - Math.log(probability));
    }

    /** The least {@code a >= 0} with {@code P(X > a) <= probability}, rounded up where doubles cannot decide. */
    public BigInteger oneSidedQuantile(double probability) {
        return quantile(-Math.log(probability));
    }

    /**
     * A bound that |Σ w·X| of independent draws X exceeds with probability at most {@code probability}, for any weights
     * with Σ|w| at most 1. The argument is in {@code DiscreteLaplace.md}.
     */
    public BigInteger combinationQuantile(double probability) {
        return continuous(-Math.log(probability), 1);
    }

    /** The largest number of draws for which {@link #sumQuantile} has a bound. */
    public static final int MOST_SUMMED = 3;

    /**
     * A bound that the sum of two or three independent draws exceeds in absolute value with probability at most
     * {@code probability}. The argument is in {@code DiscreteLaplace.md}.
     */
    public BigInteger sumQuantile(int draws, double probability) {
        double minusLog = -Math.log(probability);
        // The tail of a sum of continuous noises of scale 1 is e^(−x)·(1 + x/2) for two noises and e^(−x)·(1 + 5x/8 +
        // x²/8) for three. The iteration falls towards the solution, and never passes it.
        double x = 2 * minusLog + 5;
        for (int i = 0; i < ITERATIONS; i++) {
            x = minusLog + Math.log1p(draws == 2 ? x / 2 : (5 * x + x * x) / 8);
        }
        return continuous(x, draws);
    }

    /**
     * Turns a bound on continuous noises, in scales, into a bound on discrete draws that are each within 1 of their
     * noise.
     */
    private BigInteger continuous(double scales, int draws) {
        return scale().signum() == 0
                ? BigInteger.ZERO
                : magnitudes.quantileOfLog(scales).add(BigInteger.valueOf(draws + 1L));
    }

    // P(X > a) = q^(a+1) / (1+q) with q = exp(-1/scale), for a >= 0: the tail of the magnitude divided by 1+q. logOdds
    // is -ln p one-sided and ln 2 - ln p two-sided.
    private BigInteger quantile(double logOdds) {
        double q = Math.exp(-1 / scale().doubleValue());
        return magnitudes.quantileOfLog(logOdds - Math.log1p(q));
    }
}
