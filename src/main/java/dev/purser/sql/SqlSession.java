package dev.purser.sql;

import dev.purser.json.Alternatives;
import dev.purser.json.Text;
import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The state of a session, which a client sends with every statement.
 *
 * @param properties the session's properties, as they were set
 * @param prepared the statements that the client prepared, by name
 */
public record SqlSession(Map<String, String> properties, Map<String, String> prepared) {
    /** The properties: name, type, values, the values in words, and the meaning. */
    private static final List<List<String>> KNOWN =
            """
            epsilon; varchar; \\d[\\d.eE+-]{0,39}; a decimal such as 0.1; What a question is charged, such as 0.1. \
            Without it, stored answers are shown.
            delta; varchar; \\d[\\d.eE+-]{0,39}; a decimal such as 1e-9; The delta of a question, on a dataset with \
            the accountant approximate.
            beta; double; \\d{1,12}(\\.\\d{1,18})?; a number such as 0.05; The probability that an interval does \
            not hold, such as 0.05.
            spend; boolean; true|false; true or false; With false, stored answers are shown and nothing is charged.
            max_age; bigint; \\d{1,12}; a number of seconds; How many seconds ago a stored answer may have been charged.
            intervals; boolean; true|false; true or false; With true, each aggregate x is followed by x_low and x_high.
            blocks; varchar; latest (\\d{1,6})|([^ ]{1,40}?)(?:\\.\\.([^ ]{1,40}))?; \
            like 'latest 7', '2026-03-01' or '2026-03-01..2026-03-31'; The blocks that are asked about: \
            'latest 7', '2026-03-01' or '2026-03-01..2026-03-31'.
            """.lines().map(line -> List.of(line.split("; "))).toList();

    /** The longest header. A client sends its headers with every request, and all headers may have 8 KB together. */
    private static final int LONGEST_HEADER = 6_000;

    /**
     * Reads the session from headers.
     *
     * @throws SqlRefusal if a header is not made of pairs, or as the constructor
     */
    public static SqlSession of(HttpServletRequest request) {
        return new SqlSession(pairs(request, "X-Trino-Session"), pairs(request, "X-Trino-Prepared-Statement"));
    }

    /** A header of pairs: {@code name=value}, percent-encoded, separated by commas. */
    private static Map<String, String> pairs(HttpServletRequest request, String header) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String value : Collections.list(request.getHeaders(header))) {
            for (String pair : value.split(",")) {
                int middle = pair.indexOf('=');
                // The Python client sends an empty header if no property is set.
                if (!pair.isBlank()
                        && (middle < 1
                                || pairs.put(decoded(pair.substring(0, middle)), decoded(pair.substring(middle + 1)))
                                        != null)) {
                    throw SqlRefusal.failed("the header " + header
                            + " must have pairs name=value of different names, was " + Text.quoted(value));
                }
            }
        }
        return pairs;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.strip(), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw SqlRefusal.failed("a header is not percent-encoded: " + Text.quoted(text));
        }
    }

    /** @throws SqlRefusal if the text is too long for a header */
    static String encoded(String text) {
        String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8);
        if (encoded.length() > LONGEST_HEADER) {
            throw SqlRefusal.failed("what a client sends back in a header may have at most " + LONGEST_HEADER
                    + " characters, and percent-encoded this has " + encoded.length()
                    + ": write a shorter statement, or send it without PREPARE");
        }
        return encoded;
    }

    /** @throws SqlRefusal for an unknown property, or a value that a property cannot have */
    public SqlSession {
        properties.forEach(SqlSession::check);
    }

    private static List<String> known(String name) {
        for (List<String> property : KNOWN) {
            if (property.getFirst().equals(name)) {
                return property;
            }
        }
        List<String> names = KNOWN.stream().map(List::getFirst).toList();
        throw new SqlRefusal(
                SqlRefusal.Error.INVALID_SESSION_PROPERTY,
                "there is no session property " + Text.quoted(name) + "; there are " + Alternatives.listed(names)
                        + Alternatives.nearest(name, names));
    }

    /** The name of a known property. Refuses any other name. */
    static String named(String name) {
        return known(name).getFirst();
    }

    /** The match of a property's value with its pattern. */
    static Matcher check(String name, String value) {
        List<String> property = known(name);
        Matcher read = Pattern.compile(property.get(2)).matcher(value);
        if (!read.matches()) {
            throw new SqlRefusal(
                    SqlRefusal.Error.INVALID_SESSION_PROPERTY,
                    "the session property " + name + " must be " + property.get(3) + ", was " + Text.quoted(value));
        }
        return read;
    }

    /** The epsilon that a question is charged; null if stored answers are shown. */
    @Nullable
    String epsilon() {
        return properties.get("epsilon");
    }

    boolean hasIntervals() {
        return "true".equals(properties.get("intervals"));
    }

    /** The fields that the session adds to every question. */
    Map<String, Object> fields() {
        return fields(Map.of("delta", "delta", "beta", "beta", "blocks", "blocks"));
    }

    /** The fields about earlier answers that the session adds to a question. */
    Map<String, Object> reuse() {
        Map<String, Object> fields = fields(Map.of("spend", "spend", "max_age", "reuseMaxAgeSeconds"));
        fields.put("reuse", true);
        return fields;
    }

    private Map<String, Object> fields(Map<String, String> names) {
        Map<String, Object> fields = new LinkedHashMap<>();
        names.forEach((name, field) -> {
            String value = properties.get(name);
            if (value != null) {
                fields.put(
                        field,
                        switch (known(name).get(1)) {
                            case "boolean" -> Boolean.valueOf(value);
                            case "varchar" -> name.equals("blocks") ? blocks(check(name, value)) : value;
                            default -> new BigDecimal(value);
                        });
            }
        });
        return fields;
    }

    private static Map<String, Object> blocks(Matcher read) {
        String to = read.group(3);
        return read.group(1) != null
                ? Map.of("latest", new BigDecimal(read.group(1)))
                : to == null ? Map.of("from", read.group(2)) : Map.of("from", read.group(2), "to", to);
    }

    /** The reply to SHOW SESSION. */
    SqlTable table() {
        return SqlTable.ofTexts(
                "Name, Value, Default, Type, Description",
                KNOWN.stream()
                        .map(each -> List.<@Nullable Object>of(
                                each.get(0), properties.getOrDefault(each.get(0), ""), "", each.get(1), each.get(4)))
                        .toList());
    }
}
