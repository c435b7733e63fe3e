package dev.purser.privacy;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Plain decimal text of integers counted in a power-of-ten unit. */
final class Decimals {
    /**
     * A number as JSON writes it. The exponent has at most nine digits, so that the number can be compared with others.
     */
    private static final Pattern NUMBER =
            Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.(?<fraction>[0-9]+))?(?<exponent>[eE][+-]?[0-9]{1,9})?");

    private Decimals() {}

    /** {@code units · 10^-scale} in plain decimal without trailing zeros, for example {@code 400000000, 9 → "0.4"}. */
    static String plain(long units, int scale) {
        return BigDecimal.valueOf(units, scale).stripTrailingZeros().toPlainString();
    }

    /** Matches a whole text that is a number, of any size, with the groups {@code fraction} and {@code exponent}. */
    static Matcher number(String text) {
        return NUMBER.matcher(text);
    }

    /** Whether a number has more than this many digits after its point. */
    static boolean isFiner(Matcher number, int fractionDigits) {
        String fraction = number.group("fraction");
        return fraction != null && fraction.length() > fractionDigits;
    }
}
