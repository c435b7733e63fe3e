package dev.purser.privacy;

import java.math.BigDecimal;

/** Plain decimal text of integers counted in a power-of-ten unit. */
final class Decimals {
    private Decimals() {}

    /** {@code units · 10^-scale} in plain decimal without trailing zeros, for example {@code 400000000, 9 → "0.4"}. */
    static String plain(long units, int scale) {
        return BigDecimal.valueOf(units, scale).stripTrailingZeros().toPlainString();
    }
}
