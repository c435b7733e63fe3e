package dev.purser.noise;

import org.jspecify.annotations.Nullable;

/**
 * A coin that shows true with probability exactly {@code exp(-exponent)}, for any rational exponent of at
 * least zero: the acceptance step of randomized response and of rejection samplers.
 *
 * <p>A real number X with density {@code exp(-x)} is at least t/s with that probability, which is to say
 * that the whole part of {@code X·s/t} is above zero. See {@code ExponentialBernoulli.md}.
 */
public final class ExponentialBernoulli {
    private final @Nullable ScaledExponential multiples;

    /**
     * The coin of an exponent.
     *
     * @param exponent at least zero; at zero the coin always shows true and draws nothing
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

    /** One exact draw. */
    public boolean sample(RandomBits bits) {
        return multiples == null || multiples.sampleFloor(bits).signum() > 0;
    }
}
