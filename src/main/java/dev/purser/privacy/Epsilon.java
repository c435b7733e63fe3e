package dev.purser.privacy;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of pure differential privacy loss, held exactly as a whole number of nano-epsilon (1e-9).
 *
 * <p>The ledger and the sampler use the same integer, so the debited amount determines the noise. Every instance is
 * valid: between 0 and {@value #MAX_WHOLE} inclusive.
 *
 * @param nanos nano-epsilon, 0 … 1e15
 */
public record Epsilon(long nanos) implements Comparable<Epsilon> {
    /** The number of nano-epsilon in one epsilon. */
    public static final long NANOS_PER_UNIT = 1_000_000_000L;

    /** The largest representable epsilon, which is the ceiling of a dataset's limit. */
    public static final long MAX_WHOLE = 1_000_000L;

    public static final Epsilon ZERO = new Epsilon(0);

    /** The form that {@link #parse} accepts, for refusals and for the API description. */
    public static final String FORM =
            "a plain decimal with at most 9 fraction digits, no sign and no exponent, as a string such as \"0.00005\"";

    static final int FRACTION_DIGITS = 9;
    private static final int MAX_LENGTH = 24;
    private static final Pattern PLAIN = Pattern.compile("(?:0|[1-9][0-9]{0,6})(?:\\.[0-9]{1,9})?");

    public Epsilon {
        if (nanos < 0 || nanos > MAX_WHOLE * NANOS_PER_UNIT) {
            throw new IllegalArgumentException("epsilon must be between 0 and " + MAX_WHOLE);
        }
    }

    /**
     * Reads plain decimal text exactly.
     *
     * @throws IllegalArgumentException if the text is not {@linkplain #FORM of this form} or above {@value #MAX_WHOLE}
     */
    public static Epsilon parse(String text) {
        // The length is bounded before any arithmetic, so a very long text takes no time.
        if (text.length() > MAX_LENGTH || !PLAIN.matcher(text).matches()) {
            throw new IllegalArgumentException("must be " + FORM);
        }
        return new Epsilon(new BigDecimal(text).movePointRight(FRACTION_DIGITS).longValueExact());
    }

    /**
     * The rule of form that a text breaks, as the end of a refusal "must be …". Empty if only the number's size can be
     * wrong.
     */
    public static Optional<String> brokenForm(String text) {
        Matcher number = Decimals.number(text);
        if (!number.matches()) {
            return Optional.of(FORM);
        }
        if (number.group("exponent") != null) {
            return Optional.of("a decimal without an exponent: send it as a string, such as \"0.00005\"");
        }
        return Decimals.isFiner(number, FRACTION_DIGITS)
                ? Optional.of("a decimal with at most " + FRACTION_DIGITS + " fraction digits")
                : Optional.empty();
    }

    /** Plain decimal text without trailing zeros, for example {@code "0.1"}. */
    @Override
    public String toString() {
        return Decimals.plain(nanos, FRACTION_DIGITS);
    }

    @Override
    public int compareTo(Epsilon other) {
        return Long.compare(nanos, other.nanos);
    }
}
