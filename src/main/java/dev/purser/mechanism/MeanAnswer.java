package dev.purser.mechanism;

import dev.purser.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * A noisy mean of clamped values, in grid steps (not rounded to the grid).
 *
 * @param meanSteps within the clip range
 * @param lowSteps the lower end of an interval that holds the clamped mean with probability at least 1 − beta
 * @param highSteps the interval's upper end
 * @param clipLowerSteps the lower end of the range that values were clamped to
 * @param clipUpperSteps the upper end of that range
 */
public record MeanAnswer(
        BigDecimal meanSteps, BigDecimal lowSteps, BigDecimal highSteps, long clipLowerSteps, long clipUpperSteps) {
    private static final int DIGITS = 17;

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
        Rational stated = mean.clampedTo(lower, upper);
        Rational statedLow = low.clampedTo(lower, upper).min(stated);
        Rational statedHigh = high.clampedTo(lower, upper).max(stated);
        return new MeanAnswer(
                decimal(stated, RoundingMode.HALF_EVEN),
                decimal(statedLow, RoundingMode.FLOOR),
                decimal(statedHigh, RoundingMode.CEILING),
                target.lower(),
                target.upper());
    }

    static BigDecimal decimal(Rational value, RoundingMode rounding) {
        return value.toDecimal(new MathContext(DIGITS, rounding));
    }
}
