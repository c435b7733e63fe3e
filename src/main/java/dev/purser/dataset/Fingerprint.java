package dev.purser.dataset;

import java.util.regex.Pattern;

/**
 * Identifies the rows of an upload regardless of their order, or a table by its name. Without the key, a fingerprint
 * reveals nothing about the rows or the table.
 *
 * @param hex 64 hexadecimal digits
 * @param key the check value of the secret that the fingerprint was made with
 */
public record Fingerprint(String hex, String key) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

    public Fingerprint {
        if (!FORM.matcher(hex).matches()) {
            throw new IllegalArgumentException("a fingerprint has 64 hexadecimal digits");
        }
    }

    @Override
    public String toString() {
        return "Fingerprint[redacted]";
    }
}
