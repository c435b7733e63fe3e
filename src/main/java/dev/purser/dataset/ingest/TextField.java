package dev.purser.dataset.ingest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * One field of an upload: its text, and the number that it is, if it is one: {@code [+-] digits [. digits] [e [+-] digits]}, with a digit
 * before the exponent. Reused for the next; the work is linear in the length of the text.
 */
final class TextField {
    /** So many digits fit into 64 bits, whatever they are. */
    static final int MAX_LEADING = 18;

    private static final long MAX_EXPONENT = 1L << 40;
    /** The shortest decimal of no double is longer, unless it is written with zeros. */
    private static final int MAX_BYTES_OF_DOUBLE = 40;

    private static final int MAX_EXPONENT_OF_DOUBLE = 400;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ZEROS = 0x3030_3030_3030_3030L;
    /** What a point becomes where a zero becomes 0. */
    private static final long POINTS = 0x1E1E_1E1E_1E1E_1E1EL;
    /** Added to a byte above nine, it sets the high bit. */
    private static final long ABOVE_NINE = 0x7676_7676_7676_7676L;

    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long LOW_BITS = 0x0101_0101_0101_0101L;
    private static final long PAIRS = 0x0000_00FF_0000_00FFL;

    private byte[] bytes = {};
    private int from;
    private int to;

    private boolean number;
    // The number: ±leading · 10^exponent, if that is all of it.
    private boolean negative;
    private long leading;
    private long exponent;
    private boolean whole;
    /** How many digits there are from the first on that is not zero, of a number that has more than {@link #MAX_LEADING}; else 0. */
    private int digitsOfLong;

    /** Takes the text {@code bytes[from, to)}, which stays where it is. */
    TextField set(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        number = from < to && bytes[from] <= '9' && (parseWord() || parse());
        return this;
    }

    byte[] bytes() {
        return bytes;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    String text() {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    boolean isNumber() {
        return number;
    }

    /** Whether the number was written without a point and an exponent. */
    boolean isWhole() {
        return whole;
    }

    boolean isNegative() {
        return negative;
    }

    /** The first digits of the number, as a number. */
    long leading() {
        return leading;
    }

    /** The power of ten that {@link #leading} is multiplied by, if that is all of the number. */
    long exponent() {
        return exponent;
    }

    /** Whether the number has more digits than {@link #leading}. */
    boolean isLong() {
        return digitsOfLong > 0;
    }

    /** How many digits the number has, from the first on that is not zero. */
    int digits() {
        return isLong() ? digitsOfLong : Decimals.digits(leading);
    }

    /**
     * Short numbers: at most eight digits and their point, read as one word (Lemire: Number parsing at a gigabyte per second,
     * 2021, section 3). False for all else, numbers or not.
     */
    private boolean parseWord() {
        negative = from < to && bytes[from] == '-';
        int at = negative ? from + 1 : from;
        int length = to - at;
        if (length < 1 || length > Long.BYTES || at + Long.BYTES > bytes.length) {
            return false;
        }
        // The text's first byte is the lowest that is taken: below it come zeros, digits that change nothing.
        long digitOfByte = ((long) LONGS.get(bytes, at) ^ ZEROS) << Byte.SIZE * (Long.BYTES - length);
        long points = bytesThatAreZero(digitOfByte ^ POINTS);
        int fraction = 0;
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
        exponent = -fraction;
        whole = points == 0;
        digitsOfLong = 0;
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

    private boolean parse() {
        int at = from;
        negative = at < to && bytes[at] == '-';
        if (negative || at < to && bytes[at] == '+') {
            at++;
        }
        // Locals, and one loop: the fields are written once, not with every digit.
        boolean any = false;
        boolean inFraction = false;
        int significant = 0;
        int behindPoint = 0;
        long read = 0;
        for (; at < to; at++) {
            int digit = bytes[at] - '0';
            if (digit >= 0 && digit <= 9) {
                any = true;
                behindPoint += inFraction ? 1 : 0;
                if (significant > 0 || digit > 0) {
                    significant++;
                    read = significant <= MAX_LEADING ? read * 10 + digit : read;
                }
            } else if (bytes[at] == '.' && !inFraction) {
                inFraction = true;
            } else {
                break;
            }
        }
        digitsOfLong = significant > MAX_LEADING ? significant : 0;
        leading = read;
        exponent = -behindPoint;
        whole = !inFraction && at == to;
        return any && (at == to || parseExponent(at));
    }

    private boolean parseExponent(int first) {
        if (bytes[first] != 'e' && bytes[first] != 'E') {
            return false;
        }
        int at = first + 1;
        boolean down = at < to && bytes[at] == '-';
        if (at < to && (bytes[at] == '-' || bytes[at] == '+')) {
            at++;
        }
        if (at == to) {
            return false;
        }
        long written = 0;
        for (; at < to; at++) {
            if (bytes[at] < '0' || bytes[at] > '9') {
                return false;
            }
            written = Math.min(MAX_EXPONENT, written * 10 + bytes[at] - '0');
        }
        exponent += down ? -written : written;
        return true;
    }

    /**
     * Copies digits of the number, from the first on that is not zero.
     *
     * @return whether one that is not zero was not copied
     */
    boolean copyDigits(int count, StringBuilder into) {
        boolean significant = false;
        int copied = 0;
        for (int at = from; at < to && bytes[at] != 'e' && bytes[at] != 'E'; at++) {
            byte digit = bytes[at];
            if (digit < '0' || digit > '9') {
                continue;
            }
            significant |= digit != '0';
            if (significant && copied < count) {
                into.append((char) digit);
                copied++;
            } else if (digit != '0') {
                return true;
            }
        }
        return false;
    }

    /**
     * The double of which the number is the shortest decimal that is read as it, as numbers of at most 15 digits are unless they are near the least double; NaN if this is no
     * such number, or too long a text to look at all of it.
     */
    double exactDouble() {
        if (!number) {
            return Double.NaN;
        }
        if (leading == 0) {
            return 0;
        }
        if (digitsOfLong == 0 && leading < Decimals.EXACT && Math.abs(exponent) < Decimals.DOUBLE_POWERS.length) {
            // Both are doubles, so one rounding is all there is (Clinger: How to read floating point numbers
            // accurately, 1990).
            double size = exponent < 0
                    ? leading / Decimals.DOUBLE_POWERS[(int) -exponent]
                    : leading * Decimals.DOUBLE_POWERS[(int) exponent];
            return negative ? -size : size;
        }
        return to - from <= MAX_BYTES_OF_DOUBLE && Math.abs(exponent) <= MAX_EXPONENT_OF_DOUBLE
                ? NumberText.exactDouble(new BigDecimal(text()))
                : Double.NaN;
    }
}
