package dev.purser.query;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Decimals as answers show them. */
public final class ShownDecimals {
    private static final MathContext STATED = new MathContext(6, RoundingMode.CEILING);

    private ShownDecimals() {}

    /** The value without trailing zeros and without an exponent. */
    public static BigDecimal plain(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    /** A bound that is not a whole number of steps: six digits, rounded up. */
    public static BigDecimal bound(BigDecimal exactly) {
        return plain(exactly.round(STATED));
    }

    /** A bound for a sentence: six digits, rounded up. */
    public static String stated(BigDecimal bound) {
        return bound(bound).toPlainString();
    }
}
