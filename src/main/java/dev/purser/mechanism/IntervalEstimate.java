package dev.purser.mechanism;

import dev.purser.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * A released number and its interval, in the unit of the data.
 *
 * @param value within the interval
 * @param low the lower end of an interval that holds the exact number
 * @param high the interval's upper end
 */
public record IntervalEstimate(BigDecimal value, BigDecimal low, BigDecimal high) {
    private static final int DIGITS = 17;

    /** The larger distance from the value to an end of its interval: a bound on the error. */
    public BigDecimal alpha() {
        return value.subtract(low).max(high.subtract(value));
    }

    /**
     * An integer in steps. The interval is widened to the value where that is needed.
     *
     * @param unit one step in the unit of the data
     */
    static IntervalEstimate of(BigInteger value, BigInteger low, BigInteger high, BigDecimal unit) {
        return new IntervalEstimate(
                new BigDecimal(value).multiply(unit),
                new BigDecimal(low.min(value)).multiply(unit),
                new BigDecimal(high.max(value)).multiply(unit));
    }

    /**
     * An estimate of a whole number, in steps: it is rounded, and its interval is rounded inwards.
     *
     * @param least the least possible number, or null
     * @param unit one step in the unit of the data
     */
    static IntervalEstimate ofWhole(Rational estimate, Rational error, @Nullable BigInteger least, BigDecimal unit) {
        BigInteger low = estimate.minus(error).ceiling();
        BigInteger high = estimate.plus(error).floor();
        return of(
                estimate.plus(Rational.of(1, 2)).floor(),
                least == null ? low : low.max(least),
                least == null ? high : high.max(least),
                unit);
    }

    /**
     * A number in steps. The number and its interval are clamped to the possible numbers. The interval is rounded
     * outwards, and widened to the value where that is needed.
     *
     * @param unit one step in the unit of the data
     */
    static IntervalEstimate within(
            Rational least, Rational greatest, Rational value, Rational low, Rational high, BigDecimal unit) {
        Rational stated = value.clampedTo(least, greatest);
        return new IntervalEstimate(
                decimal(stated, RoundingMode.HALF_EVEN).multiply(unit),
                decimal(low.clampedTo(least, greatest).min(stated), RoundingMode.FLOOR)
                        .multiply(unit),
                decimal(high.clampedTo(least, greatest).max(stated), RoundingMode.CEILING)
                        .multiply(unit));
    }

    /** The square root of a number that is not negative. */
    IntervalEstimate squareRoot() {
        return new IntervalEstimate(
                value.sqrt(context(RoundingMode.HALF_EVEN)),
                low.sqrt(context(RoundingMode.FLOOR)),
                high.sqrt(context(RoundingMode.CEILING)));
    }

    static BigDecimal decimal(Rational value, RoundingMode rounding) {
        return value.toDecimal(context(rounding));
    }

    static MathContext context(RoundingMode rounding) {
        return new MathContext(DIGITS, rounding);
    }
}
