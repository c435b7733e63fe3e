package dev.purser.dataset;

import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret key of the fingerprints of rows and tables, from which other keys are derived. The operator sets it as
 * {@code PURSER_FINGERPRINT_KEY}, the same for all instances of one ledger. Otherwise the first start draws one and
 * stores it in the home.
 */
public final class FingerprintSecret {
    private static final int BYTES = 32;
    private static final String MAKE_ONE = "for example the output of: openssl rand -base64 32";

    private final byte[] secret;

    private FingerprintSecret(byte[] secret) {
        this.secret = secret;
    }

    /**
     * The configured secret, or the one in the home, which is created if there is none.
     *
     * @param configured 32 bytes in base64, or empty
     * @throws StartupRefusal if it has another form or cannot be read
     */
    static FingerprintSecret of(String configured, PurserHome home) {
        if (!configured.isEmpty()) {
            return parse(configured, "PURSER_FINGERPRINT_KEY", "Set 32 random bytes in base64, " + MAKE_ONE);
        }
        Path file = home.path().resolve("fingerprint.key");
        String restore = "Restore the file from a backup, readable to this user, or set PURSER_FINGERPRINT_KEY.";
        try {
            if (!Files.exists(file)) {
                home.writePrivately(file, (draw() + "\n").getBytes(StandardCharsets.US_ASCII));
            }
            return parse(Files.readString(file, StandardCharsets.ISO_8859_1).strip(), "The key in " + file, restore);
        } catch (IOException failure) {
            throw new StartupRefusal("The key in " + file + " cannot be read: " + failure, restore, failure);
        }
    }

    static FingerprintSecret parse(String base64, String place, String action) {
        byte[] decoded;
        try {
            decoded = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            // The cause is left out because it quotes characters of the key.
            throw new StartupRefusal(place + " must be base64.", action);
        }
        if (decoded.length != BYTES) {
            throw new StartupRefusal(place + " must have " + BYTES + " bytes, has " + decoded.length + ".", action);
        }
        return new FingerprintSecret(decoded);
    }

    private static String draw() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getEncoder().encodeToString(random);
    }

    /** A value by which two secrets can be compared without being shown: 64 hexadecimal digits. */
    String checkValue() {
        return HexFormat.of().formatHex(hmac("purser dataset fingerprint check"));
    }

    /** The fingerprint of a table, from its connection and full name. Neither contains a line feed. */
    Fingerprint ofTable(Source.Table table) {
        String name = table.connection() + "\n" + table.table();
        return new Fingerprint(HexFormat.of().formatHex(hmac("purser table\n" + name)));
    }

    /** The key of the fingerprints of uploaded rows, 32 bytes. */
    public byte[] rowsKey() {
        return hmac("purser rows");
    }

    /** The key that ranks the rows of each privacy unit in one dataset's table, 32 bytes. */
    public byte[] rankingKey(String datasetId) {
        return hmac("purser ranking\n" + datasetId);
    }

    /** The key that seals the states of interactive mechanisms, 32 bytes. */
    public byte[] stateKey() {
        return hmac("purser interactions");
    }

    private byte[] hmac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java has HMAC with SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "FingerprintSecret[redacted]";
    }
}
