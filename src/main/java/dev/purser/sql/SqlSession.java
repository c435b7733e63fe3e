package dev.purser.sql;

import dev.purser.json.Alternatives;
import dev.purser.json.Text;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client sends with every statement.
 *
 * @param properties the session's properties, as they were set
 * @param prepared the statements that it prepared, by name
 */
public record SqlSession(Map<String, String> properties, Map<String, String> prepared) {
    /** A property of the session, and what it means. */
    enum Property {
        EPSILON("varchar", "What a question is charged, such as 0.1. Without it, stored answers are shown."),
        DELTA("varchar", "The delta of a question, on a dataset with the accountant approximate."),
        BETA("double", "The probability that an interval does not hold, such as 0.05."),
        SPEND("boolean", "With false, stored answers are shown and nothing is charged."),
        MAX_AGE("bigint", "How many seconds ago a stored answer may have been charged."),
        INTERVALS("boolean", "With true, each aggregate x is followed by x_low and x_high."),
        BLOCKS("varchar", "The blocks that are asked about: 'latest 7', '2026-03-01' or '2026-03-01..2026-03-31'.");

        final String type;
        final String description;

        Property(String type, String description) {
            this.type = type;
            this.description = description;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Pattern NUMBER = Pattern.compile("\\d{1,12}(\\.\\d{1,18})?");
    private static final Pattern BLOCKS = Pattern.compile("latest (\\d{1,6})|([^ ]{1,40}?)(?:\\.\\.([^ ]{1,40}))?");

    private static final List<String> NAMES =
            Arrays.stream(Property.values()).map(Property::label).toList();

    /** @throws SqlRefusal for a property that there is not, or a value that it cannot have */
    public SqlSession {
        properties.forEach((name, value) -> check(name, value, false));
    }

    /** @param isReset no value is set */
    static void check(String name, String value, boolean isReset) {
        if (!NAMES.contains(name)) {
            throw new SqlRefusal(
                    SqlRefusal.Error.INVALID_SESSION_PROPERTY,
                    "there is no session property " + Text.quoted(name) + "; there are " + Alternatives.listed(NAMES)
                            + Alternatives.nearest(name, NAMES));
        }
        Property property = Property.valueOf(name.toUpperCase(Locale.ROOT));
        String form = switch (property) {
            case EPSILON, DELTA -> value.length() <= 40 ? "" : "a decimal such as 0.1";
            case BETA -> NUMBER.matcher(value).matches() ? "" : "a number such as 0.05";
            case MAX_AGE -> NUMBER.matcher(value).matches() ? "" : "a number of seconds";
            case SPEND, INTERVALS -> value.equals("true") || value.equals("false") ? "" : "true or false";
            case BLOCKS ->
                BLOCKS.matcher(value).matches() ? "" : "like 'latest 7', '2026-03-01' or '2026-03-01..2026-03-31'";
        };
        if (!form.isEmpty() && !isReset) {
            throw new SqlRefusal(
                    SqlRefusal.Error.INVALID_SESSION_PROPERTY,
                    "the session property " + name + " must be " + form + ", was " + Text.quoted(value));
        }
    }

    Optional<String> value(Property property) {
        return Optional.ofNullable(properties.get(property.label()));
    }

    boolean hasIntervals() {
        return value(Property.INTERVALS).equals(Optional.of("true"));
    }

    /** What the session adds to the fields of every question. */
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        value(Property.DELTA).ifPresent(delta -> fields.put("delta", delta));
        value(Property.BETA).ifPresent(beta -> fields.put("beta", new BigDecimal(beta)));
        value(Property.BLOCKS).ifPresent(blocks -> fields.put("blocks", blocks(blocks)));
        return fields;
    }

    /** What the session says of earlier answers. */
    Map<String, Object> reuse() {
        Map<String, Object> fields = new LinkedHashMap<>(Map.of("reuse", true));
        value(Property.SPEND).ifPresent(spend -> fields.put("spend", Boolean.valueOf(spend)));
        value(Property.MAX_AGE).ifPresent(age -> fields.put("reuseMaxAgeSeconds", new BigDecimal(age)));
        return fields;
    }

    private static Map<String, Object> blocks(String written) {
        Matcher read = BLOCKS.matcher(written);
        if (!read.matches()) {
            throw new IllegalStateException("blocks were not checked");
        }
        if (read.group(1) != null) {
            return Map.of("latest", new BigDecimal(read.group(1)));
        }
        return read.group(3) == null
                ? Map.of("from", read.group(2))
                : Map.of("from", read.group(2), "to", read.group(3));
    }
}
