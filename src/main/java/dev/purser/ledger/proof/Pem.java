package dev.purser.ledger.proof;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** Keys as text (RFC 7468). */
final class Pem {
    private static final Pattern END = Pattern.compile(",|(?<=-----END [A-Z ]{1,20}-----)");

    private Pem() {}

    static byte[] text(String label, byte[] encoded) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return ("-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** The keys in a text, in their order. Each key is a PEM block, or base64 up to the next comma. */
    static List<String> parts(String text) {
        return END.splitAsStream(text).filter(part -> !part.isBlank()).toList();
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
