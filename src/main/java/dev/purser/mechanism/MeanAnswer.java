package dev.purser.mechanism;

import dev.purser.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A noisy mean of clamped values, in grid steps (not rounded to the grid).
 *
 * @param meanSteps within the clip range
 * @param lowSteps the lower end of an interval that holds the clamped mean with probability at least 1 − beta
 * @param highSteps the interval's upper end
 * @param clipLowerSteps the lower end of the range that values were clamped to
 * @param clipUpperSteps the upper end of that range
 * @param count the number of rows, whose interval holds with the same probability; null if none is released
 */
public record MeanAnswer(
        BigDecimal meanSteps,
        BigDecimal lowSteps,
        BigDecimal highSteps,
        long clipLowerSteps,
        long clipUpperSteps,
        @Nullable IntervalEstimate count) {
    /** The larger distance from the mean to an end of its interval: a bound on the error, with the same probability. */
    public BigDecimal alphaSteps() {
        return meanSteps.subtract(lowSteps).max(highSteps.subtract(meanSteps));
    }

    /**
     * Clamps a mean and its interval to the target's range, which always contains the exact clamped mean, and rounds
     * the interval outwards. The interval always contains the stated mean.
     */
    static MeanAnswer within(MeanTarget target, Rational mean, Rational low, Rational high) {
        Rational lower = Rational.of(BigInteger.valueOf(target.lower()));
        Rational upper = Rational.of(BigInteger.valueOf(target.upper()));
        IntervalEstimate steps = IntervalEstimate.within(lower, upper, mean, low, high, BigDecimal.ONE);
        return new MeanAnswer(steps.value(), steps.low(), steps.high(), target.lower(), target.upper(), null);
    }
}
