package dev.purser.upload;

import dev.purser.dataset.Column;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.stream.LongStream;

/**
 * Turns a number into the stored grid integer of one column: {@code floor(x / resolution + 1/2)}, or {@code floor(x /
 * resolution)} of a time, then clamped to the public bounds. It is exact for every input: a value next to a rounding
 * boundary falls on the right side, however many digits decide.
 *
 * <p>The work is linear in the length of a text. Magnitudes are compared by their decimal exponents before any
 * arithmetic, so {@code 1e1000000000} is out of bounds and {@code 1e-1000000000} is zero without a large number being
 * formed.
 */
final class GridReader {
    /** The field is not a number of the column's type. No grid integer is this far out. */
    static final long UNREADABLE = Long.MIN_VALUE;

    private static final int FAST_DIGITS = FieldText.MAX_LEADING;
    /** Operands of the fast path are at most 2^60, so twice one operand plus another fits into 64 bits. */
    private static final long FAST_LIMIT = 1L << 60;
    /** 10^13 > 2^43: further out than any bound. */
    private static final int BEYOND_BOUNDS = 13;

    private static final long[] POWERS_OF_TEN =
            LongStream.iterate(1, power -> 10 * power).limit(FAST_DIGITS + 1).toArray();

    /** For each power of ten, the largest number whose product with it is at most {@link #FAST_LIMIT}. */
    private static final long[] FAST_LIMITS =
            LongStream.of(POWERS_OF_TEN).map(power -> FAST_LIMIT / power).toArray();

    private final Column.Numeric column;
    private final boolean decimal;
    private final boolean down;
    /** The resolution is {@code unscaled · 10^-scale}, and less than {@code 10^magnitude}. */
    private final BigInteger unscaled;

    private final long fastUnscaled;
    private final int scale;
    private final int magnitude;

    private boolean clamped;

    /**
     * @param decimal whether fractions are numbers of the column's type
     * @param down whether a value is rounded down to a grid point, and not to the nearest grid point
     */
    GridReader(Column.Numeric column, boolean decimal, boolean down) {
        this.column = column;
        this.decimal = decimal;
        this.down = down;
        BigDecimal resolution = column.grid().resolution();
        unscaled = resolution.unscaledValue();
        fastUnscaled = unscaled.bitLength() <= 60 ? unscaled.longValueExact() : 0;
        scale = resolution.scale();
        magnitude = resolution.precision() - resolution.scale();
    }

    /** The grid integer to store for a field, or {@link #UNREADABLE}. */
    long read(FieldText field) {
        clamped = false;
        if (!field.isNumber() || !decimal && !field.isWhole()) {
            return UNREADABLE;
        }
        boolean negative = field.isNegative();
        long leading = field.leading();
        long shift = field.exponent() + scale;
        if (!field.isLong() && canRoundFast(leading, shift)) {
            return roundFast(negative ? -leading : leading, (int) shift);
        }
        if (leading == 0) {
            return clamp(0, 0);
        }
        long point = field.digits() + field.exponent();
        if (point - 1 - magnitude >= BEYOND_BOUNDS) {
            return clamp(negative ? -Long.MAX_VALUE : Long.MAX_VALUE, 0);
        }
        if (point - magnitude + 1 < 0) {
            // Less than a tenth of a step.
            return clamp(down && negative ? -1 : 0, negative ? -1 : 1);
        }
        return roundExact(field, point);
    }

    /** Whether the value read last lay outside the column's bounds. */
    boolean clamped() {
        return clamped;
    }

    /** Whether {@code size · 10^shift} and the resolution without its point are small enough. */
    private boolean canRoundFast(long size, long shift) {
        return fastUnscaled > 0
                && Math.abs(shift) <= FAST_DIGITS
                && size <= FAST_LIMITS[(int) Math.max(shift, 0)]
                && fastUnscaled <= FAST_LIMITS[(int) Math.max(-shift, 0)];
    }

    /** Rounds {@code number · 10^(shift - scale)}. */
    private long roundFast(long number, int shift) {
        long numerator = number * POWERS_OF_TEN[Math.max(shift, 0)];
        long denominator = fastUnscaled * POWERS_OF_TEN[Math.max(-shift, 0)];
        if (denominator == 1) {
            // Most values have no more decimals than their column.
            return clamp(numerator, 0);
        }
        long steps = Math.floorDiv(2 * numerator + (down ? 0 : denominator), 2 * denominator);
        return clamp(steps, Long.signum(numerator - steps * denominator));
    }

    /**
     * As {@link #roundFast}, in big integers, for long texts and unusual resolutions. Every rounding boundary is a
     * multiple of half the resolution, so it has at most {@code scale + 1} decimals. It only matters whether one of the
     * further digits is not zero, and one digit in their place records this.
     */
    private long roundExact(FieldText field, long point) {
        int exact = (int) Math.clamp(point + scale + 2, 0, field.digits());
        StringBuilder kept = new StringBuilder(exact + 1);
        boolean more = field.copyDigits(exact, kept);
        if (more) {
            kept.append('1');
        }
        BigInteger numerator = kept.isEmpty() ? BigInteger.ZERO : new BigInteger(kept.toString());
        if (field.isNegative()) {
            numerator = numerator.negate();
        }
        BigInteger denominator = unscaled;
        int shift = Math.toIntExact(point - kept.length() + scale);
        if (shift >= 0) {
            numerator = numerator.multiply(BigInteger.TEN.pow(shift));
        } else {
            denominator = denominator.multiply(BigInteger.TEN.pow(-shift));
        }
        BigInteger steps =
                floorDivide(numerator.shiftLeft(1).add(down ? BigInteger.ZERO : denominator), denominator.shiftLeft(1));
        return clamp(
                steps.longValueExact(),
                numerator.subtract(steps.multiply(denominator)).signum());
    }

    private static BigInteger floorDivide(BigInteger numerator, BigInteger positiveDenominator) {
        BigInteger[] parts = numerator.divideAndRemainder(positiveDenominator);
        return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    /**
     * @param remainder the sign of the value minus the rounded value. A value that is outside a bound by less than half
     *     a step is outside. If values are rounded down, values less than one step above the upper bound are inside
     */
    private long clamp(long steps, int remainder) {
        if (steps < column.lower() || (!down && steps == column.lower() && remainder < 0)) {
            clamped = true;
            return column.lower();
        }
        if (steps > column.upper() || (!down && steps == column.upper() && remainder > 0)) {
            clamped = true;
            return column.upper();
        }
        return steps;
    }
}
