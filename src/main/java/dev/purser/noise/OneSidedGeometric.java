package dev.purser.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The geometric distribution on the integers from zero up, {@code P(X = x) ∝ exp(-x / scale)}, for any rational scale,
 * sampled exactly: the discrete form of one-sided (exponential) noise, of half the variance of {@link DiscreteLaplace}.
 *
 * <p>It protects in one direction only. With scale {@code Δ/ε}, {@code P(X = x) <= e^ε · P(X = x + i)} for every {@code x} and
 * every {@code 0 <= i <= Δ}; the converse fails at {@code x < i}, which noise cannot reach. Added to a number that is then
 * published it is <b>not</b> differentially private. It serves comparisons whose proof moves the noise upwards only (Liu and
 * others 2024), and those state it. Scale 0 is the distribution that is always 0. The derivation of the sampler stands in
 * {@code OneSidedGeometric.md}.
 */
public final class OneSidedGeometric {
    // Far above what the logarithms below can be off by in double, relative or absolute, and far below what a reader
    // of an accuracy statement can notice.
    private static final double SLACK = 1e-12;

    private final Rational scale;
    private final @Nullable ScaledExponential exponential;

    /**
     * The distribution of a scale.
     *
     * @param scale in grid steps, at least zero
     */
    public OneSidedGeometric(Rational scale) {
        this(scale, ScaledExponential.DIGIT_BITS);
    }

    OneSidedGeometric(Rational scale, int digitBits) {
        if (scale.signum() < 0) {
            throw new IllegalArgumentException("the scale must be at least zero");
        }
        this.scale = scale;
        exponential =
                scale.signum() == 0 ? null : new ScaledExponential(scale.numerator(), scale.denominator(), digitBits);
    }

    /** The noise that a move upwards by at most {@code l1Sensitivity} makes at most {@code e^epsilon} less likely. */
    public static OneSidedGeometric calibrated(BigInteger l1Sensitivity, Rational epsilon) {
        return new OneSidedGeometric(Rational.of(l1Sensitivity).dividedBy(epsilon));
    }

    public Rational scale() {
        return scale;
    }

    /** One exact draw, in grid steps. */
    public BigInteger sample(RandomBits bits) {
        // The whole part of an exponential times t/s is geometric with ratio exp(-s/t).
        return exponential == null ? BigInteger.ZERO : exponential.sampleFloor(bits);
    }

    /** The mean in grid steps, to within rounding in double: for accuracy statements, never for noise. */
    public double mean() {
        // q / (1 - q) with q = exp(-1/scale); at scale 0 the exponential is infinite and the mean 0.
        return 1 / Math.expm1(1 / scale.doubleValue());
    }

    /** The least {@code a >= 0} with {@code P(X > a) <= probability}, rounded up where doubles cannot tell. */
    public BigInteger quantile(double probability) {
        return quantileOfLog(-Math.log(probability));
    }

    // P(X > a) = exp(-(a+1) / scale) is at most exp(-minusLog) iff a+1 >= scale · minusLog.
    BigInteger quantileOfLog(double minusLog) {
        if (scale.signum() == 0) {
            return BigInteger.ZERO;
        }
        // A minusLog near 0 may be what is left of two numbers near 1, so the slack has an absolute part as well: the
        // scale times it can be many steps.
        double bound = scale.doubleValue() * (minusLog + (1 + Math.abs(minusLog)) * SLACK) - 1;
        return bound <= 0
                ? BigInteger.ZERO
                : new BigDecimal(bound).setScale(0, RoundingMode.CEILING).toBigInteger();
    }
}
