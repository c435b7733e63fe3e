package dev.purser.privacy;

/**
 * An amount of zero-concentrated differential privacy loss, held exactly as a whole number of pico-rho (1e-12). Source:
 * Bun and Steinke 2016, definition 1.1.
 *
 * @param picos pico-rho, 0 … 1e18
 */
public record Rho(long picos) implements Comparable<Rho> {
    /** The number of pico-rho in one rho. */
    public static final long PICOS_PER_UNIT = 1_000_000_000_000L;

    public static final Rho ZERO = new Rho(0);

    /** The largest rho: the rho of the largest {@link Epsilon}. */
    public static final Rho MAX = new Rho(Epsilon.MAX_WHOLE * PICOS_PER_UNIT);

    static final int FRACTION_DIGITS = 12;

    public Rho {
        if (picos < 0 || picos > Epsilon.MAX_WHOLE * PICOS_PER_UNIT) {
            throw new IllegalArgumentException("rho must be between 0 and " + Epsilon.MAX_WHOLE);
        }
    }

    /** Plain decimal text without trailing zeros, for example {@code "0.004995837"}. */
    @Override
    public String toString() {
        return Decimals.plain(picos, FRACTION_DIGITS);
    }

    @Override
    public int compareTo(Rho other) {
        return Long.compare(picos, other.picos);
    }
}
