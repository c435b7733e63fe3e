package dev.purser.noise;

import org.jspecify.annotations.Nullable;

/**
 * A Bernoulli variable that is true with probability exactly {@code exp(-exponent)}, for any rational exponent of at
 * least zero. It is the acceptance step of randomized response and of rejection samplers.
 *
 * <p>A real number X with density {@code exp(-x)} is at least t/s with that probability. This holds exactly when the
 * integer part of {@code X·s/t} is above zero. See {@code ExponentialBernoulli.md}.
 */
public final class ExponentialBernoulli {
    private final @Nullable ScaledExponential multiples;

    /**
     * The variable with this exponent.
     *
     * @param exponent at least zero; at zero the draw is always true and consumes no bits
     */
    public ExponentialBernoulli(Rational exponent) {
        this(exponent, ScaledExponential.DIGIT_BITS);
    }

    ExponentialBernoulli(Rational exponent, int digitBits) {
        if (exponent.signum() < 0) {
            throw new IllegalArgumentException("the exponent must be at least zero");
        }
        multiples = exponent.signum() == 0
                ? null
                : new ScaledExponential(exponent.denominator(), exponent.numerator(), digitBits);
    }

    /** Returns one exact draw. */
    public boolean sample(RandomBits bits) {
        return multiples == null || multiples.sampleFloor(bits).signum() > 0;
    }
}
