package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The one way in which anything is turned into bytes to be hashed: field after field, each as the number of its UTF-8 bytes
 * (four bytes, big-endian) and then those bytes; an absent field is the length {@code ff ff ff ff} alone. Numbers are plain
 * decimal. Lengths make it unambiguous: no two different lists of fields have the same bytes, whatever is in their texts.
 */
final class CanonicalBytes {
    private static final int ABSENT = -1;

    private static final HexFormat HEX = HexFormat.of();

    private ByteBuffer bytes = ByteBuffer.allocate(1024);

    CanonicalBytes text(@Nullable String text) {
        if (text == null) {
            room(Integer.BYTES).putInt(ABSENT);
            return this;
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        room(Integer.BYTES + encoded.length).putInt(encoded.length).put(encoded);
        return this;
    }

    CanonicalBytes number(long number) {
        return text(Long.toString(number));
    }

    /** Nano-epsilon, atto-delta, pico-rho; three absent fields for no amount. */
    CanonicalBytes amount(@Nullable PrivacyAmount amount) {
        return amount == null
                ? text(null).text(null).text(null)
                : number(amount.epsilon().nanos())
                        .number(amount.delta().attos())
                        .number(amount.rho().picos());
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /** In lower-case hexadecimal. */
    String sha256() {
        MessageDigest digest = Sha256.begin();
        digest.update(bytes.array(), 0, bytes.position());
        return HEX.formatHex(digest.digest());
    }

    private ByteBuffer room(int more) {
        if (bytes.remaining() < more) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(2 * bytes.capacity(), bytes.position() + more));
            larger.put(bytes.flip());
            bytes = larger;
        }
        return bytes;
    }
}
