package dev.purser.privacy;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The failure probability of approximate differential privacy, held exactly as a whole number of atto-delta (1e-18).
 *
 * @param attos atto-delta, 0 … 1e18 (probability 1)
 */
public record Delta(long attos) implements Comparable<Delta> {
    /** The number of atto-delta in probability one. */
    public static final long ATTOS_PER_UNIT = 1_000_000_000_000_000_000L;

    public static final Delta ZERO = new Delta(0);

    /** The form that {@link #parse} accepts, for refusals and for the API description. */
    public static final String FORM =
            "a decimal with at most 18 fraction digits and no sign, as a string such as \"0.000001\" or \"1e-6\"";

    private static final int FRACTION_DIGITS = 18;
    private static final String TOO_FINE = "a decimal with at most " + FRACTION_DIGITS + " fraction digits";
    private static final int MAX_LENGTH = 24;
    private static final Pattern FORMS =
            Pattern.compile("(?:0|1)(?:\\.[0-9]{1,18})?|[1-9](?:\\.[0-9]{1,17})?[eE]-[0-9]{1,2}");

    public Delta {
        if (attos < 0 || attos > ATTOS_PER_UNIT) {
            throw new IllegalArgumentException("delta must be between 0 and 1");
        }
    }

    /**
     * Reads decimal text exactly.
     *
     * @throws IllegalArgumentException if the text is not {@linkplain #FORM of this form}, above 1, or finer than 1e-18
     */
    public static Delta parse(String text) {
        if (text.length() > MAX_LENGTH || !FORMS.matcher(text).matches()) {
            throw new IllegalArgumentException("must be " + FORM);
        }
        BigDecimal attos = new BigDecimal(text).movePointRight(FRACTION_DIGITS).stripTrailingZeros();
        if (attos.scale() > 0) {
            throw new IllegalArgumentException("must be " + FORM);
        }
        // This is checked before the conversion: 9.3e-0 has the form, and more atto-delta than a long holds.
        if (attos.compareTo(BigDecimal.valueOf(ATTOS_PER_UNIT)) > 0) {
            throw new IllegalArgumentException("delta must be between 0 and 1");
        }
        return new Delta(attos.longValueExact());
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
        if (number.group("exponent") == null) {
            return Decimals.isFiner(number, FRACTION_DIGITS) ? Optional.of(TOO_FINE) : Optional.empty();
        }
        BigDecimal value = new BigDecimal(text);
        if (value.signum() < 0 || value.compareTo(BigDecimal.ONE) > 0) {
            return Optional.empty();
        }
        if (value.signum() != 0 && value.stripTrailingZeros().scale() > FRACTION_DIGITS) {
            return Optional.of(TOO_FINE);
        }
        return FORMS.matcher(text).matches()
                ? Optional.empty()
                : Optional.of("a decimal with one digit other than 0 before its exponent, as in \"1e-6\"");
    }

    /** Plain decimal text without trailing zeros, for example {@code "0.000001"}. */
    @Override
    public String toString() {
        return Decimals.plain(attos, FRACTION_DIGITS);
    }

    @Override
    public int compareTo(Delta other) {
        return Long.compare(attos, other.attos);
    }
}
