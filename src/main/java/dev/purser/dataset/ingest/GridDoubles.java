package dev.purser.dataset.ingest;

import java.math.BigDecimal;

/**
 * Puts floating-point numbers on the grid of one column, as the shortest decimals that they stand for. It answers where arithmetic in
 * doubles proves the answer, and leaves all else open.
 *
 * <p><b>Bounds.</b> A bound of at most 15 digits is itself the shortest decimal of the double next to it, since 15 digits survive the way
 * to a double and back; and greater doubles stand for greater decimals. So a number is outside the bounds if and only if its double is.
 *
 * <p><b>Rounding.</b> Number, resolution and quotient are each wrong by at most 2^-53 of themselves, adding one half by as much of the
 * sum: together by less than 2^-50 of the quotient, and 2^-52. Where the sum is further than that from the nearest integers, its floor is right.
 */
final class GridDoubles {
    private static final double ERROR = 0x1p-50;

    private final double resolution;
    private final double lowest;
    private final double highest;
    private final long lower;
    private final long upper;
    private boolean clamped;

    GridDoubles(BigDecimal resolution, long lower, long upper) {
        this.resolution = resolution.doubleValue();
        BigDecimal lowerBound = resolution.multiply(BigDecimal.valueOf(lower));
        BigDecimal upperBound = resolution.multiply(BigDecimal.valueOf(upper));
        boolean exact = isExact(resolution) && isExact(lowerBound) && isExact(upperBound);
        // Of other bounds nothing is known: no number is between them or beyond them.
        lowest = exact ? lowerBound.doubleValue() : Double.NaN;
        highest = exact ? upperBound.doubleValue() : Double.NaN;
        this.lower = lower;
        this.upper = upper;
    }

    /** At most 15 digits, and far from the largest and smallest doubles. */
    private static boolean isExact(BigDecimal bound) {
        BigDecimal digits = bound.stripTrailingZeros();
        return digits.precision() <= Decimals.EXACT_DIGITS && Math.abs(digits.scale()) <= 2 * Decimals.EXACT_DIGITS;
    }

    /** The grid integer to store for a number, or {@link GridReader#UNDECIDED}. */
    long read(double number) {
        clamped = false;
        if (number >= lowest && number <= highest) {
            double quotient = number / resolution;
            double rounded = Math.floor(quotient + 0.5);
            double rest = quotient + 0.5 - rounded;
            double error = Math.abs(quotient) * ERROR + ERROR;
            return rest >= error && rest <= 1 - error ? (long) rounded : GridReader.UNDECIDED;
        }
        if (number < lowest && number >= -Double.MAX_VALUE) {
            clamped = true;
            return lower;
        }
        if (number > highest && number <= Double.MAX_VALUE) {
            clamped = true;
            return upper;
        }
        return GridReader.UNDECIDED;
    }

    /** Whether the value read last lay outside the column's bounds. */
    boolean clamped() {
        return clamped;
    }
}
