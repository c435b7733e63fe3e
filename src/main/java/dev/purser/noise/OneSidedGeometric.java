package dev.purser.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * The geometric distribution on the non-negative integers, {@code P(X = x) ∝ exp(-x / scale)}, for any rational scale,
 * sampled exactly: one-sided (exponential) noise in discrete form, with half the variance of {@link DiscreteLaplace}.
 *
 * <p>It protects in one direction only. With scale {@code Δ/ε}, {@code P(X = x) <= e^ε · P(X = x + i)} for every
 * {@code x} and every {@code 0 <= i <= Δ}. The converse fails at {@code x < i}, which the noise cannot reach. A
 * published number with this noise is <b>not</b> differentially private. The noise serves only where a proof moves it
 * upwards and never downwards (Liu and others 2024). Each such proof states this. Scale 0 gives the constant 0.
 * Derivation: {@code OneSidedGeometric.md}.
 */
public final class OneSidedGeometric {
    // Far above the error, relative or absolute, of the logarithms below in double, and far below what a reader of an
    // accuracy statement can notice.
    private static final double SLACK = 1e-12;

    private final Rational scale;
    private final @Nullable ScaledExponential exponential;

    /**
     * The distribution with this scale.
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

    /** The noise whose probabilities fall at most {@code e^epsilon}-fold when it moves up by {@code l1Sensitivity}. */
    public static OneSidedGeometric calibrated(BigInteger l1Sensitivity, Rational epsilon) {
        return new OneSidedGeometric(Rational.of(l1Sensitivity).dividedBy(epsilon));
    }

    public Rational scale() {
        return scale;
    }

    /** Returns one exact draw, in grid steps. */
    public BigInteger sample(RandomBits bits) {
        // The integer part of an exponential times t/s is geometric with ratio exp(-s/t).
        return exponential == null ? BigInteger.ZERO : exponential.sampleFloor(bits);
    }

    /** The mean in grid steps, to within rounding in double: for accuracy statements, never for noise. */
    public double mean() {
        // q / (1 - q) with q = exp(-1/scale). At scale 0 the exponential is infinite and the mean 0.
        return 1 / Math.expm1(1 / scale.doubleValue());
    }

    /** The least {@code a >= 0} with {@code P(X > a) <= probability}, rounded up where doubles cannot decide. */
    public BigInteger quantile(double probability) {
        return quantileOfLog(-Math.log(probability));
    }

    // P(X > a) = exp(-(a+1) / scale) is at most exp(-minusLog) iff a+1 >= scale · minusLog.
    BigInteger quantileOfLog(double minusLog) {
        if (scale.signum() == 0) {
            return BigInteger.ZERO;
        }
        // A minusLog near 0 may be the difference of two numbers near 1. The slack therefore has an absolute part as
        // well: the scale times the difference's error can be many steps.
        double bound = scale.doubleValue() * (minusLog + (1 + Math.abs(minusLog)) * SLACK) - 1;
        return bound <= 0
                ? BigInteger.ZERO
                : new BigDecimal(bound).setScale(0, RoundingMode.CEILING).toBigInteger();
    }
}
