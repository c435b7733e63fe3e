package dev.purser.experiment;

import dev.purser.noise.DiscreteGaussian;
import dev.purser.noise.OneSidedGeometric;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.noise.UniformInteger;
import java.math.BigInteger;

/** A distribution of generated values. They are drawn on a grid of 2^-20 and clamped to [-1, 1]. */
enum Distribution {
    /** A standard deviation of 0.1 around 0.5. */
    NORMAL {
        @Override
        long draw(RandomBits bits) {
            return STEPS / 2 + TENTH.sample(bits).longValueExact();
        }
    },
    /** Over all of [-1, 1]. */
    UNIFORM {
        @Override
        long draw(RandomBits bits) {
            return UniformInteger.below(2 * STEPS + 1, bits) - STEPS;
        }
    },
    /** From 0, with the mean 0.5. */
    EXPONENTIAL {
        @Override
        long draw(RandomBits bits) {
            return HALF.sample(bits).min(BigInteger.valueOf(STEPS)).longValueExact();
        }
    };

    /** The number of grid steps from 0 to 1. */
    static final long STEPS = 1L << 20;

    /** The width of [-1, 1], in grid steps. */
    static final long WIDTH = 2 * STEPS;

    private static final DiscreteGaussian TENTH = new DiscreteGaussian(variance(1, 10));
    private static final OneSidedGeometric HALF = new OneSidedGeometric(Rational.of(STEPS, 2));

    abstract long draw(RandomBits bits);

    /** A value in grid steps. */
    long value(RandomBits bits) {
        return Math.clamp(draw(bits), -STEPS, STEPS);
    }

    /** The variance, in grid steps squared, of a standard deviation of {@code numerator/denominator}. */
    static Rational variance(long numerator, long denominator) {
        Rational deviation = Rational.of(STEPS * numerator, denominator);
        return deviation.times(deviation);
    }
}
