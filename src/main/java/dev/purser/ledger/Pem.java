package dev.purser.ledger;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Keys as text (RFC 7468). */
final class Pem {
    private Pem() {}

    static byte[] text(String label, byte[] encoded) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return ("-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Decodes a PEM text, or base64 without its PEM lines.
     *
     * @throws IllegalArgumentException if it is neither
     */
    static byte[] bytes(String text) {
        return Base64.getDecoder()
                .decode(text.replaceAll("-----(BEGIN|END) [A-Z ]+-----", "").replaceAll("\\s", ""));
    }
}
