package dev.purser.sql;

import dev.purser.json.Text;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Headers of Trino's protocol that hold pairs: {@code name=value}, percent-encoded, separated by commas. */
public final class SqlHeaders {
    /** A client sends it back with every request, whose headers have 8 KB together. */
    private static final int LONGEST = 6_000;

    private SqlHeaders() {}

    /** @throws SqlRefusal if a header is not of such pairs */
    public static Map<String, String> pairs(String header, List<String> values) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String value : values) {
            for (String pair : value.split(",")) {
                int middle = pair.indexOf('=');
                if (middle < 1
                        || pairs.put(decoded(pair.substring(0, middle)), decoded(pair.substring(middle + 1))) != null) {
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

    /** @throws SqlRefusal if it is too long for a header */
    static String encoded(String text) {
        String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8);
        if (encoded.length() > LONGEST) {
            throw SqlRefusal.failed("what a client sends back in a header may have at most " + LONGEST
                    + " characters, and percent-encoded this has " + encoded.length()
                    + ": write a shorter statement, or send it without PREPARE");
        }
        return encoded;
    }

    static String pair(String name, String value) {
        return encoded(name) + "=" + encoded(value);
    }
}
