package dev.purser.dataset.ingest;

import dev.purser.dataset.Column;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.stream.LongStream;

/**
 * Turns the text of a number into the stored grid integer of one column: {@code floor(x / resolution + 1/2)}, then clamped to
 * the public bounds. Exact for every input: nothing passes through a {@code double}, and a value next to a rounding boundary
 * falls on the right side however many digits it takes to see it.
 *
 * <p>The work is linear in the length of the text. Magnitudes are compared by their decimal exponents before any arithmetic, so
 * {@code 1e1000000000} is out of bounds and {@code 1e-1000000000} is zero without a large number being formed.
 */
final class GridReader {
    /** The field is not a number of the column's type. No grid integer is this far out. */
    static final long UNREADABLE = Long.MIN_VALUE;

    private static final int FAST_DIGITS = 18;
    /** Operands of the fast path stay below 2^60, so twice one plus the other fits. */
    private static final long FAST_LIMIT = 1L << 60;
    /** 10^13 > 2^43: further out than any bound. */
    private static final int BEYOND_BOUNDS = 13;

    private static final long MAX_EXPONENT = 1L << 40;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ZEROS = 0x3030_3030_3030_3030L;
    /** What a point becomes where a zero becomes 0. */
    private static final long POINTS = 0x1E1E_1E1E_1E1E_1E1EL;
    /** Added to a byte above nine, it sets the high bit. */
    private static final long ABOVE_NINE = 0x7676_7676_7676_7676L;

    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long LOW_BITS = 0x0101_0101_0101_0101L;
    private static final long PAIRS = 0x0000_00FF_0000_00FFL;

    private static final long[] POWERS_OF_TEN = powersOfTen();
    /** What times each of them stays below {@link #FAST_LIMIT}. */
    private static final long[] FAST_LIMITS =
            LongStream.of(POWERS_OF_TEN).map(power -> FAST_LIMIT / power).toArray();

    private final Column.Numeric column;
    private final boolean decimal;
    /** The resolution is {@code unscaled · 10^-scale}, and less than {@code 10^magnitude}. */
    private final BigInteger unscaled;

    private final long fastUnscaled;
    private final int scale;
    private final int magnitude;

    private boolean clamped;

    // The number read last: ±0.d1d2d3… · 10^point with d1 ≠ 0, or zero if there are no digits.
    private boolean negative;
    private int digits;
    private long leading;
    private long point;
    /** Of a number read as one word, whose digits are all in {@link #leading}: how many stand behind the point. */
    private int fraction;

    /** @param decimal whether fractions and exponents are numbers of the column's type */
    GridReader(Column.Numeric column, boolean decimal) {
        this.column = column;
        this.decimal = decimal;
        BigDecimal resolution = column.grid().resolution();
        unscaled = resolution.unscaledValue();
        fastUnscaled = unscaled.bitLength() <= 60 ? unscaled.longValueExact() : 0;
        scale = resolution.scale();
        magnitude = resolution.precision() - resolution.scale();
    }

    /** The grid integer to store for the text in {@code bytes[from, to)}, or {@link #UNREADABLE}. */
    long read(byte[] bytes, int from, int to) {
        clamped = false;
        if (parseWord(bytes, from, to) && canRoundFast(scale - fraction)) {
            return roundFast(scale - fraction);
        }
        if (!parse(bytes, from, to)) {
            return UNREADABLE;
        }
        if (digits == 0) {
            return clamp(0, 0);
        }
        if (point - 1 - magnitude >= BEYOND_BOUNDS) {
            return clamp(negative ? -Long.MAX_VALUE : Long.MAX_VALUE, 0);
        }
        if (point - magnitude + 1 < 0) {
            // Less than a tenth of a step.
            return clamp(0, negative ? -1 : 1);
        }
        long shift = point - digits + scale;
        if (digits <= FAST_DIGITS && canRoundFast(shift)) {
            return roundFast((int) shift);
        }
        return roundExact(bytes, from, to);
    }

    /** Whether the value read last lay outside the column's bounds. */
    boolean clamped() {
        return clamped;
    }

    /** Whether {@code leading · 10^shift} and the resolution without its point are small enough. */
    private boolean canRoundFast(long shift) {
        return fastUnscaled > 0
                && Math.abs(shift) <= FAST_DIGITS
                && leading <= FAST_LIMITS[(int) Math.max(shift, 0)]
                && fastUnscaled <= FAST_LIMITS[(int) Math.max(-shift, 0)];
    }

    private long roundFast(int shift) {
        long size = leading * POWERS_OF_TEN[Math.max(shift, 0)];
        long denominator = fastUnscaled * POWERS_OF_TEN[Math.max(-shift, 0)];
        long numerator = negative ? -size : size;
        if (denominator == 1) {
            // Most values have no more decimals than their column.
            return clamp(numerator, 0);
        }
        long steps = Math.floorDiv(2 * numerator + denominator, 2 * denominator);
        return clamp(steps, Long.signum(numerator - steps * denominator));
    }

    /**
     * The same in big integers, for long texts and unusual resolutions. Every rounding boundary is a multiple of half the
     * resolution and so has at most {@code scale + 1} decimals: of the digits beyond those it only matters whether one is not
     * zero, and one digit says so.
     */
    private long roundExact(byte[] bytes, int from, int to) {
        int exact = (int) Math.clamp(point + scale + 2, 0, digits);
        StringBuilder kept = new StringBuilder(exact + 1);
        boolean more = copyDigits(bytes, from, to, exact, kept);
        if (more) {
            kept.append('1');
        }
        BigInteger numerator = kept.isEmpty() ? BigInteger.ZERO : new BigInteger(kept.toString());
        if (negative) {
            numerator = numerator.negate();
        }
        BigInteger denominator = unscaled;
        int shift = Math.toIntExact(point - kept.length() + scale);
        if (shift >= 0) {
            numerator = numerator.multiply(BigInteger.TEN.pow(shift));
        } else {
            denominator = denominator.multiply(BigInteger.TEN.pow(-shift));
        }
        BigInteger steps = floorDivide(numerator.shiftLeft(1).add(denominator), denominator.shiftLeft(1));
        return clamp(
                steps.longValueExact(),
                numerator.subtract(steps.multiply(denominator)).signum());
    }

    private static BigInteger floorDivide(BigInteger numerator, BigInteger positiveDenominator) {
        BigInteger[] parts = numerator.divideAndRemainder(positiveDenominator);
        return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    /** Copies the first {@code count} significant digits; tells whether a later one is not zero. */
    private static boolean copyDigits(byte[] bytes, int from, int to, int count, StringBuilder kept) {
        boolean significant = false;
        int copied = 0;
        for (int at = from; at < to && bytes[at] != 'e' && bytes[at] != 'E'; at++) {
            byte digit = bytes[at];
            if (digit < '0' || digit > '9') {
                continue;
            }
            significant |= digit != '0';
            if (significant && copied < count) {
                kept.append((char) digit);
                copied++;
            } else if (digit != '0') {
                return true;
            }
        }
        return false;
    }

    /** @param remainder the sign of what rounding took from the value: outside a bound by less than half a step is outside */
    private long clamp(long steps, int remainder) {
        if (steps < column.lower() || (steps == column.lower() && remainder < 0)) {
            clamped = true;
            return column.lower();
        }
        if (steps > column.upper() || (steps == column.upper() && remainder > 0)) {
            clamped = true;
            return column.upper();
        }
        return steps;
    }

    /**
     * Short numbers: at most eight digits and their point, read as one word (Lemire: Number parsing at a gigabyte per second,
     * 2021, section 3). False for all else, numbers or not.
     */
    private boolean parseWord(byte[] bytes, int from, int to) {
        negative = from < to && bytes[from] == '-';
        int at = negative ? from + 1 : from;
        int length = to - at;
        if (length < 1 || length > Long.BYTES || at + Long.BYTES > bytes.length) {
            return false;
        }
        // The text's first byte is the lowest that is taken: below it come zeros, digits that change nothing.
        long digitOfByte = ((long) LONGS.get(bytes, at) ^ ZEROS) << Byte.SIZE * (Long.BYTES - length);
        long points = decimal ? bytesThatAreZero(digitOfByte ^ POINTS) : 0;
        fraction = 0;
        if (points != 0) {
            int place = Long.numberOfTrailingZeros(points) / Byte.SIZE;
            fraction = Long.BYTES - 1 - place;
            long before = (1L << Byte.SIZE * place) - 1;
            digitOfByte = (digitOfByte & before) << Byte.SIZE | digitOfByte & ~(before << Byte.SIZE | 0xFF);
        }
        if (length == 1 && points != 0 || ((digitOfByte | digitOfByte + ABOVE_NINE) & HIGH_BITS) != 0) {
            return false;
        }
        leading = number(digitOfByte);
        return true;
    }

    /** The high bit of each byte that is zero. Of bytes above one, there may be others: the lowest is exact. */
    private static long bytesThatAreZero(long bytes) {
        return bytes - LOW_BITS & ~bytes & HIGH_BITS;
    }

    /** The number with these eight digits, the first in the lowest byte. */
    private static long number(long digits) {
        long pairs = digits * 10 + (digits >>> Byte.SIZE);
        long even = (pairs & PAIRS) * (100 + (1_000_000L << Integer.SIZE));
        long odd = (pairs >>> 2 * Byte.SIZE & PAIRS) * (1 + (10_000L << Integer.SIZE));
        return even + odd >>> Integer.SIZE;
    }

    /** {@code [+-] digits}, and for decimals {@code [. digits] [e [+-] digits]} with at least one digit before the exponent. */
    private boolean parse(byte[] bytes, int from, int to) {
        int at = from;
        negative = at < to && bytes[at] == '-';
        if (negative || at < to && bytes[at] == '+') {
            at++;
        }
        // Locals, and one loop: the fields are written once, not with every digit.
        boolean any = false;
        boolean inFraction = false;
        int significant = 0;
        int whole = 0;
        long number = 0;
        for (; at < to; at++) {
            int digit = bytes[at] - '0';
            if (digit >= 0 && digit <= 9) {
                any = true;
                if (significant > 0 || digit > 0) {
                    significant++;
                    number = significant <= FAST_DIGITS ? number * 10 + digit : number;
                    whole += inFraction ? 0 : 1;
                } else {
                    whole -= inFraction ? 1 : 0;
                }
            } else if (bytes[at] == '.' && decimal && !inFraction) {
                inFraction = true;
            } else {
                break;
            }
        }
        digits = significant;
        leading = number;
        point = whole;
        return any && (at == to || (decimal && parseExponent(bytes, at, to)));
    }

    private boolean parseExponent(byte[] bytes, int from, int to) {
        if (bytes[from] != 'e' && bytes[from] != 'E') {
            return false;
        }
        int at = from + 1;
        boolean down = at < to && bytes[at] == '-';
        if (at < to && (bytes[at] == '-' || bytes[at] == '+')) {
            at++;
        }
        if (at == to) {
            return false;
        }
        long exponent = 0;
        for (; at < to; at++) {
            if (bytes[at] < '0' || bytes[at] > '9') {
                return false;
            }
            exponent = Math.min(MAX_EXPONENT, exponent * 10 + bytes[at] - '0');
        }
        point += down ? -exponent : exponent;
        return true;
    }

    private static long[] powersOfTen() {
        long[] powers = new long[FAST_DIGITS + 1];
        powers[0] = 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = 10 * powers[i - 1];
        }
        return powers;
    }
}
