package dev.purser.journal;

import dev.purser.digest.Sha256;
import dev.purser.privacy.PrivacyAmount;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of everything that is hashed, signed or authenticated. Each field is the number of its UTF-8 bytes (four
 * bytes, big-endian) followed by these bytes. An absent field is the length {@code ff ff ff ff} alone. Numbers are
 * plain decimal. The lengths make the encoding injective: two different lists of fields never have the same bytes.
 */
public final class CanonicalBytes {
    private static final int ABSENT = -1;

    private static final HexFormat HEX = HexFormat.of();

    private ByteBuffer bytes = ByteBuffer.allocate(1024);

    public CanonicalBytes text(@Nullable String text) {
        if (text == null) {
            room(Integer.BYTES).putInt(ABSENT);
            return this;
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        room(Integer.BYTES + encoded.length).putInt(encoded.length).put(encoded);
        return this;
    }

    public CanonicalBytes number(long number) {
        return text(Long.toString(number));
    }

    /** These bytes as one field. */
    public CanonicalBytes bytes(byte @Nullable [] field) {
        if (field == null) {
            return text(null);
        }
        room(Integer.BYTES + field.length).putInt(field.length).put(field);
        return this;
    }

    /** Three fields: nano-epsilon, atto-delta, pico-rho. All three are absent if there is no amount. */
    public CanonicalBytes amount(@Nullable PrivacyAmount amount) {
        return amount == null
                ? text(null).text(null).text(null)
                : number(amount.epsilon().nanos())
                        .number(amount.delta().attos())
                        .number(amount.rho().picos());
    }

    public byte[] bytes() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /** The digest in lower-case hexadecimal. */
    public String sha256() {
        return HEX.formatHex(digest());
    }

    /** The digest as 32 bytes. */
    public byte[] digest() {
        MessageDigest digest = Sha256.begin();
        digest.update(bytes.array(), 0, bytes.position());
        return digest.digest();
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
