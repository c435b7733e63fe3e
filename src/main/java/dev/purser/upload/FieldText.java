package dev.purser.upload;

import java.nio.charset.StandardCharsets;

/**
 * One field of an upload: its text, and its number if the text has this form: {@code [+-] digits [. digits] [e [+-]
 * digits]}, with a digit before the exponent. Reused for the next field. The work is linear in the length of the text.
 */
final class FieldText {
    /** The number of digits that always fit into 64 bits. */
    static final int MAX_LEADING = 18;

    private static final long MAX_EXPONENT = 1L << 40;

    private byte[] bytes = {};
    private int from;
    private int to;
    private boolean number;
    // The number is ±leading · 10^exponent if it has at most MAX_LEADING digits.
    private boolean negative;
    private long leading;
    private long exponent;
    private boolean whole;
    /** How many digits the number has, from the first nonzero digit on. */
    private int digits;

    /** Takes the text {@code bytes[from, to)}, which stays where it is. */
    FieldText set(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        number = parse();
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

    boolean isEmpty() {
        return from == to;
    }

    String text() {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    boolean isNumber() {
        return number;
    }

    /** Whether the number was written without a point and without an exponent. */
    boolean isPlain() {
        return whole;
    }

    /** Whether the number is an integer, even if it is written as {@code 30.0} or {@code 3e1}. */
    boolean isWhole() {
        return exponent >= 0
                || digits == 0
                || digits + exponent > 0 && !copyDigits((int) (digits + exponent), new StringBuilder());
    }

    boolean isNegative() {
        return negative;
    }

    /** The first digits of the number, as a number. */
    long leading() {
        return leading;
    }

    /** The power of ten that {@link #leading} is multiplied by, unless {@link #isLong}. */
    long exponent() {
        return exponent;
    }

    /** Whether the number has more digits than {@link #leading}. */
    boolean isLong() {
        return digits > MAX_LEADING;
    }

    /** How many digits the number has, from the first nonzero digit on. */
    int digits() {
        return digits;
    }

    private boolean parse() {
        int at = from;
        negative = at < to && bytes[at] == '-';
        if (negative || at < to && bytes[at] == '+') {
            at++;
        }
        // Local variables and one loop, so that the object's fields are not written with every digit.
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
        digits = significant;
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
     * Copies digits of the number, from the first nonzero digit on.
     *
     * @return whether a nonzero digit was left out
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
}
