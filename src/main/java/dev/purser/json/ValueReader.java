package dev.purser.json;

import dev.purser.json.JsonValue.JsonArray;
import dev.purser.json.JsonValue.JsonBoolean;
import dev.purser.json.JsonValue.JsonNull;
import dev.purser.json.JsonValue.JsonNumber;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonOmitted;
import dev.purser.json.JsonValue.JsonOversizedArray;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads one value with its intended type. No conversion takes place: a string is not a number, {@code 1.0} is not an
 * integer, and {@code null} is not absence.
 *
 * <p>Every method returns an empty result if the value is absent, or if it breaks the rule. A broken rule is noted.
 */
public final class ValueReader {
    /** The largest number of significant digits of a number. */
    public static final int MAX_DIGITS = 30;

    /** The largest number of fraction digits of a number. */
    public static final int MAX_FRACTION_DIGITS = 30;

    /** The largest number of trailing zeros before the decimal point. */
    public static final int MAX_TRAILING_ZEROS = 15;

    /** RFC 3339 with a four-digit year; the parser alone would accept more. */
    private static final Pattern INSTANT = Pattern.compile(
            "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})");

    private static final String INSTANT_FORM = "an instant as in RFC 3339, such as 2031-01-31T12:00:00Z";

    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

    private final String name;
    private final Pointer pointer;
    private final Optional<JsonValue> value;
    private final FoundViolations notes;

    ValueReader(String name, Pointer pointer, Optional<JsonValue> value, FoundViolations notes) {
        this.name = name;
        this.pointer = pointer;
        this.value = value.filter(sent -> !(sent instanceof JsonOmitted));
        this.notes = notes;
    }

    /** Text of {@code minLength} to {@code maxLength} characters, without control characters. */
    Optional<String> string(int minLength, int maxLength) {
        return text(
                () -> "a string of " + minLength + " to " + maxLength + " characters without control characters",
                text -> {
                    int length = text.codePointCount(0, text.length());
                    return length >= minLength
                            && length <= maxLength
                            && text.codePoints().noneMatch(Character::isISOControl);
                });
    }

    /**
     * Text that matches a pattern as a whole.
     *
     * @param form completes the sentence "must be …"
     */
    Optional<String> string(Pattern pattern, String form) {
        return text(() -> form, text -> pattern.matcher(text).matches());
    }

    /**
     * Text that {@code parse} accepts.
     *
     * @param form completes the sentence "must be …"
     */
    public <T> Optional<T> string(String form, Function<String, Optional<T>> parse) {
        if (value.orElse(null) instanceof JsonNumber) {
            return broken(form, wasSent() + ": text goes in quotes");
        }
        return text(() -> form, text -> true).flatMap(text -> parse.apply(text).or(() -> broken(form)));
    }

    /** One of a few words. */
    Optional<String> word(List<String> words) {
        String rule = words.size() == 1 ? "" : "one of ";
        return text(() -> rule + Alternatives.listed(words), text -> true)
                .flatMap(text -> words.contains(text) ? Optional.of(text) : unlisted(rule, words.stream()));
    }

    /**
     * Notes that a text is none of the permitted names. The violation lists the names and the nearest name.
     *
     * @param rule completes the sentence "must be …" before the names
     * @param names the permitted names, read only if the violation will be reported: a request may have millions
     */
    public <T> Optional<T> unlisted(String rule, Stream<String> names) {
        if (notes.areFull()) {
            return broken(rule);
        }
        List<String> permitted = names.toList();
        String nearest =
                value.orElse(null) instanceof JsonString(String text) ? Alternatives.nearest(text, permitted) : "";
        return broken(rule + Alternatives.listed(permitted), wasSent() + nearest);
    }

    /** Whether exactly this string was sent, for values that are a word or another type. Notes nothing. */
    public boolean isText(String text) {
        return value.filter(new JsonString(text)::equals).isPresent();
    }

    /** {@code true} or {@code false}. */
    Optional<Boolean> bool() {
        return value.flatMap(
                sent -> sent instanceof JsonBoolean(boolean truth) ? Optional.of(truth) : broken("true or false"));
    }

    /** A whole number without fraction and exponent, from {@code min} to {@code max} inclusive. */
    public Optional<Long> integer(long min, long max) {
        String rule = "an integer between " + min + " and " + max;
        return value.flatMap(sent -> {
            if (!(sent instanceof JsonNumber(String token))
                    || !INTEGER.matcher(token).matches()) {
                return broken(rule, wasSent() + withoutQuotes(sent));
            }
            BigInteger number = new BigInteger(token);
            boolean inRange =
                    number.compareTo(BigInteger.valueOf(min)) >= 0 && number.compareTo(BigInteger.valueOf(max)) <= 0;
            return inRange ? Optional.of(number.longValueExact()) : broken(rule);
        });
    }

    /** A number, exactly as written: at most {@value #MAX_DIGITS} digits, no larger or finer than the limits here. */
    public Optional<BigDecimal> decimal() {
        return value.flatMap(sent -> sent instanceof JsonNumber(String token)
                ? exactly(token)
                        .or(() -> broken("a number of at most " + MAX_DIGITS + " significant digits, at most "
                                + MAX_FRACTION_DIGITS + " of them after the decimal point, and at most "
                                + MAX_TRAILING_ZEROS + " trailing zeros"))
                : broken("a number", wasSent() + withoutQuotes(sent)));
    }

    /** A number, exactly as written, from {@code min} to {@code max} inclusive. */
    Optional<BigDecimal> decimal(BigDecimal min, BigDecimal max) {
        return decimal()
                .flatMap(number -> number.compareTo(min) >= 0 && number.compareTo(max) <= 0
                        ? Optional.of(number)
                        : broken("between " + min.toPlainString() + " and " + max.toPlainString()));
    }

    /** An exact epsilon, sent as a string or a number, from {@code min} to {@code max} inclusive. */
    Optional<Epsilon> epsilon(Epsilon min, Epsilon max) {
        return amount(Epsilon::parse, Epsilon::brokenForm, min, max);
    }

    /** An exact delta, sent as a string or a number, from {@code min} to {@code max} inclusive. */
    Optional<Delta> delta(Delta min, Delta max) {
        return amount(Delta::parse, Delta::brokenForm, min, max);
    }

    /** An instant after {@code now}, in whole milliseconds. */
    public Optional<Instant> future(Instant now) {
        return string(INSTANT, INSTANT_FORM).flatMap(text -> {
            try {
                Instant instant = Instant.parse(text).truncatedTo(ChronoUnit.MILLIS);
                return instant.isAfter(now) ? Optional.of(instant) : broken("in the future");
            } catch (DateTimeException noSuchDay) {
                return broken(INSTANT_FORM);
            }
        });
    }

    /** An object, read by {@code decoder}, which ends with {@link ObjectReader#complete}. */
    public <T> Optional<T> object(Function<ObjectReader, Optional<T>> decoder) {
        return value.flatMap(sent -> sent instanceof JsonObject object
                ? decoder.apply(new ObjectReader(pointer, object, notes))
                : broken("an object"));
    }

    /** An array of {@code minSize} to {@code maxSize} elements; empty if any element breaks a rule. */
    <T> Optional<List<T>> list(int minSize, int maxSize, Function<ValueReader, Optional<T>> element) {
        return value.flatMap(sent -> {
            if (sent instanceof JsonOversizedArray(int size, int limit)) {
                return broken(sizes(minSize, Math.min(maxSize, limit)), "had " + size);
            }
            String rule = sizes(minSize, maxSize);
            if (!(sent instanceof JsonArray(List<JsonValue> elements))) {
                return broken(rule);
            }
            int size = elements.size();
            if (size < minSize || size > maxSize) {
                return broken(rule, "had " + size);
            }
            List<T> read = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                Optional<JsonValue> each = Optional.of(elements.get(i));
                Pointer place = pointer.child(String.valueOf(i));
                element.apply(new ValueReader(name + "[" + i + "]", place, each, notes))
                        .ifPresent(read::add);
            }
            return read.size() == size ? Optional.of(List.copyOf(read)) : Optional.empty();
        });
    }

    private static String sizes(int least, int most) {
        return "an array of " + least + " to " + most + " elements";
    }

    /** Notes a rule that only the value's reader knows. The sentence names the rule and the value sent. */
    public void refuse(String detail) {
        notes.add(pointer, detail);
    }

    /**
     * Notes a rule that only the value's reader knows.
     *
     * @param rule completes the sentence that begins with the field's name
     */
    public <T> Optional<T> refused(String rule) {
        refuse(name + " " + rule);
        return Optional.empty();
    }

    /**
     * Notes a rule that only the value's reader knows, with the value sent.
     *
     * @param rule completes the sentence "must be …"
     */
    public <T> Optional<T> broken(String rule) {
        return broken(rule, wasSent());
    }

    private String wasSent() {
        return "was " + value.map(Text::shown).orElse("missing");
    }

    private static String withoutQuotes(JsonValue sent) {
        return sent instanceof JsonString(String text) && NUMBER.matcher(text).matches()
                ? ": a number goes without quotes"
                : "";
    }

    private Optional<String> text(Supplier<String> rule, Predicate<String> keepsRule) {
        return value.flatMap(sent -> sent instanceof JsonString(String text) && keepsRule.test(text)
                ? Optional.of(text)
                : broken(rule.get()));
    }

    private <T extends Comparable<T>> Optional<T> amount(
            Function<String, T> parse, Function<String, Optional<String>> brokenForm, T min, T max) {
        return value.flatMap(sent -> switch (sent) {
            case JsonString(String text) -> amount(text, parse, brokenForm, min, max);
            case JsonNumber(String token) -> amount(token, parse, brokenForm, min, max);
            case JsonArray _, JsonOversizedArray _, JsonObject _, JsonBoolean _, JsonNull _, JsonOmitted _ ->
                broken("a decimal, as a string or a number");
        });
    }

    private <T extends Comparable<T>> Optional<T> amount(
            String text, Function<String, T> parse, Function<String, Optional<String>> brokenForm, T min, T max) {
        return parsed(parse, text)
                .filter(each -> each.compareTo(min) >= 0 && each.compareTo(max) <= 0)
                .or(() -> broken(brokenForm.apply(text).orElse("between " + min + " and " + max)));
    }

    private static <T> Optional<T> parsed(Function<String, T> parse, String text) {
        try {
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException broken) {
            return Optional.empty();
        }
    }

    private static Optional<BigDecimal> exactly(String token) {
        try {
            BigDecimal number = new BigDecimal(token);
            BigDecimal shortest = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
            boolean fits = shortest.precision() <= MAX_DIGITS
                    && shortest.scale() <= MAX_FRACTION_DIGITS
                    && shortest.scale() >= -MAX_TRAILING_ZEROS;
            return fits ? Optional.of(shortest) : Optional.empty();
        } catch (NumberFormatException exponentTooLong) {
            return Optional.empty();
        }
    }

    private <T> Optional<T> broken(String rule, String sent) {
        return refused("must be " + rule + ", " + sent);
    }
}
