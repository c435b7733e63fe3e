package dev.purser.dataset;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret key of the fingerprints of rows and tables, from which other keys are derived; see {@link FingerprintKeys}.
 */
public final class FingerprintSecret {
    private final byte[] secret;

    FingerprintSecret(byte[] secret) {
        this.secret = secret;
    }

    /** A value by which two secrets can be compared without being shown: 64 hexadecimal digits. */
    String checkValue() {
        return HexFormat.of().formatHex(hmac("purser dataset fingerprint check"));
    }

    /** The fingerprint of a table, from its connection and full name. Neither contains a line feed. */
    Fingerprint ofTable(Source.Table table) {
        String name = table.connection() + "\n" + table.table();
        return fingerprint(HexFormat.of().formatHex(hmac("purser table\n" + name)));
    }

    /** A fingerprint that was computed with this secret. */
    public Fingerprint fingerprint(String hex) {
        return new Fingerprint(hex, checkValue());
    }

    /** The key of the fingerprints of uploaded rows, 32 bytes. */
    public byte[] rowsKey() {
        return hmac("purser rows");
    }

    /** The key that ranks the rows of each privacy unit in one dataset's table, 32 bytes. */
    public byte[] rankingKey(String datasetId) {
        return hmac("purser ranking\n" + datasetId);
    }

    /** The first key that seals the states of interactive mechanisms, 32 bytes. */
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
