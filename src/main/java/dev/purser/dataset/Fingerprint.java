package dev.purser.dataset;

import java.util.regex.Pattern;

/**
 * Identifies the rows of an upload regardless of their order; see {@link FingerprintDigest}. Without the key it reveals
 * nothing about them.
 *
 * @param hex 64 hexadecimal digits
 */
public record Fingerprint(String hex) {
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
