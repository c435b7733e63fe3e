package dev.purser.dataset.ingest;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;

/**
 * Writes numbers as DuckDB casts them to text, with a zero before the point also where it leaves that out, in ASCII: {@code -12}, {@code 0.50}, {@code 8.5}, {@code 1e+20}, {@code nan}. A
 * floating-point number becomes the shortest decimal that is read as the same number, also where DuckDB 1.5 errs (docs/adr/0029).
 */
final class NumberText {
    /** The longest text of a number. */
    static final int MAX_BYTES = 32;

    private static final MathContext ONE_DIGIT = new MathContext(1);
    private static final byte[] LEAST_LONG = ascii(Long.toString(Long.MIN_VALUE));

    /** From here on down a double has an exponent. */
    private static final double LEAST_PLAIN = 1e-4;
    /** Where the search for the decimals of a double goes on. */
    private static final int[] MORE_DECIMALS = {4, 9, 14};

    private static final int LEAST_EXPONENT_PLAIN = -4;
    private static final int MOST_EXPONENT_PLAIN = 15;

    private final byte[] bytes;
    /** As many as any double before had: others of its column often have no more. */
    private int decimals = 1;

    /** @param bytes where texts are written to, from the first on: {@link #MAX_BYTES} at least */
    NumberText(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * {@code unscaled · 10^-decimals}. Returns the text's length.
     *
     * @param decimals 0 to 18; 0 of {@link Long#MIN_VALUE}
     */
    int write(long unscaled, int decimals) {
        if (unscaled == Long.MIN_VALUE) {
            return write(LEAST_LONG);
        }
        int at = 0;
        if (unscaled < 0) {
            bytes[at++] = '-';
        }
        long number = Math.abs(unscaled);
        int whole = Math.max(Decimals.digits(number) - decimals, 1);
        int end = at + whole + (decimals > 0 ? 1 + decimals : 0);
        int next = end;
        for (int i = 0; i < decimals; i++) {
            long tenth = number / 10;
            bytes[--next] = (byte) ('0' + number - 10 * tenth);
            number = tenth;
        }
        if (decimals > 0) {
            bytes[--next] = '.';
        }
        while (next > at) {
            long tenth = number / 10;
            bytes[--next] = (byte) ('0' + number - 10 * tenth);
            number = tenth;
        }
        return end;
    }

    /** Returns the text's length. */
    int write(double number) {
        double size = Math.abs(number);
        if (size >= LEAST_PLAIN && size < Decimals.EXACT) {
            if (isDecimal(size, decimals)) {
                return writeDecimal(number, decimals);
            }
            for (int more : MORE_DECIMALS) {
                if (more != decimals && isDecimal(size, more)) {
                    return writeDecimal(number, more);
                }
            }
        }
        return write(ascii(text(number)));
    }

    /**
     * Whether {@code size} is the double next to a number of so many decimals and at most 15 digits. There is one such number at
     * most, and none that is shorter is any other: 15 digits survive the way to a double and back.
     */
    private static boolean isDecimal(double size, int decimals) {
        double power = Decimals.DOUBLE_POWERS[decimals];
        double unscaled = Math.rint(size * power);
        return unscaled < Decimals.EXACT && unscaled / power == size;
    }

    private int writeDecimal(double number, int most) {
        long unscaled = Math.round(number * Decimals.DOUBLE_POWERS[most]);
        int left = most;
        while (left > 1 && unscaled % 10 == 0) {
            unscaled /= 10;
            left--;
        }
        decimals = Math.max(decimals, left);
        return write(unscaled, left);
    }

    private static String text(double number) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf" : "-inf";
        }
        if (number == 0) {
            return 1 / number > 0 ? "0.0" : "-0.0";
        }
        BigDecimal shortest = shortest(number);
        int exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent >= LEAST_EXPONENT_PLAIN && exponent <= MOST_EXPONENT_PLAIN) {
            return shortest.setScale(Math.max(1, shortest.scale())).toPlainString();
        }
        StringBuilder text = new StringBuilder(shortest.unscaledValue().toString());
        int first = number < 0 ? 1 : 0;
        if (shortest.precision() > 1) {
            text.insert(first + 1, '.');
        }
        return text.append(exponent < 0 ? "e-" : "e+")
                .append(Math.abs(exponent) < 10 ? "0" : "")
                .append(Math.abs(exponent))
                .toString();
    }

    /** The double of which {@code decimal} is the shortest decimal; NaN if there is none. */
    static double exactDouble(BigDecimal decimal) {
        double number = decimal.doubleValue();
        boolean exact = Double.isFinite(number) && shortest(number).compareTo(decimal) == 0;
        return exact ? number : Double.NaN;
    }

    /** Java writes two digits where one would do. */
    private static BigDecimal shortest(double number) {
        BigDecimal decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        if (decimal.precision() == 2) {
            BigDecimal oneDigit = decimal.round(ONE_DIGIT);
            if (oneDigit.doubleValue() == number) {
                return oneDigit.stripTrailingZeros();
            }
        }
        return decimal;
    }

    private int write(byte[] text) {
        System.arraycopy(text, 0, bytes, 0, text.length);
        return text.length;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
