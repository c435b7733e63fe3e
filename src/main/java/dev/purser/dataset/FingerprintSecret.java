package dev.purser.dataset;

import dev.purser.store.KeyFile;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret key of the fingerprints of rows and tables, from which other keys are derived. The operator sets it as
 * {@code PURSER_FINGERPRINT_KEY}, the same for all instances of one ledger. Otherwise the first start draws one and
 * stores it in the home.
 */
public final class FingerprintSecret {
    private final byte[] secret;

    FingerprintSecret(byte[] secret) {
        this.secret = secret;
    }

    /**
     * The configured secret, or the one in the home, which is created if there is none.
     *
     * @param configured 32 bytes in base64, or empty
     * @throws StartupRefusal if it has another form or cannot be read
     */
    static FingerprintSecret of(String configured, PurserHome home) {
        return new FingerprintSecret(KeyFile.secret(home, "fingerprint.key", configured, "PURSER_FINGERPRINT_KEY"));
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
