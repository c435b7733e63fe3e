package dev.purser.sql;

import dev.purser.json.Alternatives;
import dev.purser.json.Text;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends with every statement.
 *
 * @param properties the session's properties, as they were set
 * @param prepared the statements that it prepared, by name
 */
public record SqlSession(Map<String, String> properties, Map<String, String> prepared) {
    private static final String NUMBER = "\\d{1,12}(\\.\\d{1,18})?";
    private static final String TRUTH = "true|false";

    /** A property of the session: its type, its values, and what it means. */
    enum Property {
        EPSILON(
                "varchar",
                ".{0,40}",
                "a decimal such as 0.1",
                "What a question is charged, such as 0.1. Without it, stored answers are shown."),
        DELTA(
                "varchar",
                ".{0,40}",
                "a decimal such as 1e-9",
                "The delta of a question, on a dataset with the accountant approximate."),
        BETA(
                "double",
                NUMBER,
                "a number such as 0.05",
                "The probability that an interval does not hold, such as 0.05."),
        SPEND("boolean", TRUTH, "true or false", "With false, stored answers are shown and nothing is charged."),
        MAX_AGE("bigint", NUMBER, "a number of seconds", "How many seconds ago a stored answer may have been charged."),
        INTERVALS("boolean", TRUTH, "true or false", "With true, each aggregate x is followed by x_low and x_high."),
        BLOCKS(
                "varchar",
                "latest (\\d{1,6})|([^ ]{1,40}?)(?:\\.\\.([^ ]{1,40}))?",
                "like 'latest 7', '2026-03-01' or '2026-03-01..2026-03-31'",
                "The blocks that are asked about: 'latest 7', '2026-03-01' or '2026-03-01..2026-03-31'.");

        private final String type;
        private final Pattern values;
        private final String form;
        private final String meaning;

        Property(String type, String values, String form, String meaning) {
            this.type = type;
            this.values = Pattern.compile(values);
            this.form = form;
            this.meaning = meaning;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Property named(String name) {
            for (Property each : values()) {
                if (each.label().equals(name)) {
                    return each;
                }
            }
            List<String> names = Arrays.stream(values()).map(Property::label).toList();
            throw new SqlRefusal(
                    SqlRefusal.Error.INVALID_SESSION_PROPERTY,
                    "there is no session property " + Text.quoted(name) + "; there are " + Alternatives.listed(names)
                            + Alternatives.nearest(name, names));
        }

        Matcher check(String value) {
            Matcher read = values.matcher(value);
            if (!read.matches()) {
                throw new SqlRefusal(
                        SqlRefusal.Error.INVALID_SESSION_PROPERTY,
                        "the session property " + label() + " must be " + form + ", was " + Text.quoted(value));
            }
            return read;
        }
    }

    /** @throws SqlRefusal for a property that there is not, or a value that it cannot have */
    public SqlSession {
        properties.forEach((name, value) -> Property.named(name).check(value));
    }

    /** What the property is set to; null if it is not set. */
    @Nullable
    String value(Property property) {
        return properties.get(property.label());
    }

    boolean hasIntervals() {
        return "true".equals(value(Property.INTERVALS));
    }

    /** What the session adds to the fields of every question. */
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        put("delta", Property.DELTA, fields);
        put("beta", Property.BETA, fields);
        put("blocks", Property.BLOCKS, fields);
        return fields;
    }

    /** What the session says of earlier answers. */
    Map<String, Object> reuse() {
        Map<String, Object> fields = new LinkedHashMap<>(Map.of("reuse", true));
        put("spend", Property.SPEND, fields);
        put("reuseMaxAgeSeconds", Property.MAX_AGE, fields);
        return fields;
    }

    private void put(String field, Property property, Map<String, Object> fields) {
        String value = value(property);
        if (value != null) {
            fields.put(
                    field,
                    switch (property.type) {
                        case "boolean" -> Boolean.valueOf(value);
                        case "varchar" -> property == Property.BLOCKS ? blocks(property.check(value)) : value;
                        default -> new BigDecimal(value);
                    });
        }
    }

    private static Map<String, Object> blocks(Matcher read) {
        if (read.group(1) != null) {
            return Map.of("latest", new BigDecimal(read.group(1)));
        }
        return read.group(3) == null
                ? Map.of("from", read.group(2))
                : Map.of("from", read.group(2), "to", read.group(3));
    }

    /** The reply to SHOW SESSION. */
    SqlTable table() {
        return SqlTable.ofTexts(
                "Name, Value, Default, Type, Description",
                Arrays.stream(Property.values())
                        .map(each -> List.<@Nullable Object>of(
                                each.label(), properties.getOrDefault(each.label(), ""), "", each.type, each.meaning))
                        .toList());
    }
}
