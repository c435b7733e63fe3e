package dev.purser.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The discrete Laplace distribution on the integers, {@code P(X = x) ∝ exp(-|x| / scale)}, for any rational scale, sampled
 * exactly. For two integers that differ by at most {@code Δ}, adding this noise with scale {@code Δ/ε} makes every output
 * {@code e^ε}-close: {@code exp(-|x|/b) <= exp(Δ/b) · exp(-|x+Δ|/b)}.
 *
 * <p>Scale 0 is the distribution that is always 0: the noise of a statistic whose sensitivity is 0. The derivation of the
 * sampler stands in {@code DiscreteLaplace.md}. Source: von Neumann 1951; Karney 2016; Ghosh, Roughgarden and Sundararajan
 * 2009.
 */
public final class DiscreteLaplace {
    // Far above what the logarithms below can be off by in double, relative or absolute, and far below what a reader
    // of an accuracy statement can notice.
    private static final double SLACK = 1e-12;

    private final Rational scale;
    private final @Nullable ScaledExponential magnitudes;

    /**
     * The distribution of a scale.
     *
     * @param scale in grid steps, at least zero
     */
    public DiscreteLaplace(Rational scale) {
        this(scale, ScaledExponential.DIGIT_BITS);
    }

    DiscreteLaplace(Rational scale, int digitBits) {
        if (scale.signum() < 0) {
            throw new IllegalArgumentException("the scale must be at least zero");
        }
        this.scale = scale;
        magnitudes =
                scale.signum() == 0 ? null : new ScaledExponential(scale.numerator(), scale.denominator(), digitBits);
    }

    /** The noise of an {@code epsilon}-differentially private release of one integer of this sensitivity. */
    public static DiscreteLaplace calibrated(BigInteger l1Sensitivity, Rational epsilon) {
        return new DiscreteLaplace(Rational.of(l1Sensitivity).dividedBy(epsilon));
    }

    public Rational scale() {
        return scale;
    }

    /** One exact draw, in grid steps. */
    public BigInteger sample(RandomBits bits) {
        if (magnitudes == null) {
            return BigInteger.ZERO;
        }
        // The whole part of an exponential times t/s is geometric with ratio exp(-s/t). A fair sign makes it two-sided;
        // refusing (-, 0) keeps zero from being counted twice.
        while (true) {
            BigInteger magnitude = magnitudes.sampleFloor(bits);
            boolean negative = bits.next(1) == 1;
            if (!negative || magnitude.signum() != 0) {
                return negative ? magnitude.negate() : magnitude;
            }
        }
    }

    /** The least {@code a >= 0} with {@code P(|X| > a) <= probability}, rounded up where doubles cannot tell. */
    public BigInteger twoSidedQuantile(double probability) {
        return quantile(Math.log(2) - Math.log(probability));
    }

    /** The least {@code a >= 0} with {@code P(X > a) <= probability}, rounded up where doubles cannot tell. */
    public BigInteger oneSidedQuantile(double probability) {
        return quantile(-Math.log(probability));
    }

    // P(X > a) = q^(a+1) / (1+q) with q = exp(-1/scale), for a >= 0. Solving for a+1 gives
    // scale · (logOdds - ln(1+q)), with logOdds = -ln p one-sided and ln 2 - ln p two-sided.
    private BigInteger quantile(double logOdds) {
        if (scale.signum() == 0) {
            return BigInteger.ZERO;
        }
        double b = scale.doubleValue();
        double q = Math.exp(-1 / b);
        double excess = logOdds - Math.log1p(q);
        // Near probability 1 the difference cancels, so the slack has an absolute part as well: b times it can be many
        // steps.
        double bound = b * (excess + (1 + Math.abs(excess)) * SLACK) - 1;
        return bound <= 0
                ? BigInteger.ZERO
                : new BigDecimal(bound).setScale(0, RoundingMode.CEILING).toBigInteger();
    }
}
