package dev.purser.store;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of the home that authenticates what is stored outside it: HMAC with SHA-256 (RFC 2104). A person who has only
 * the database cannot make a code that this key accepts. The first start draws the key and stores it in the home as
 * {@code journal.key}. Instances on one ledger need the same key, so the operator configures it.
 */
public final class MacKey {
    /** The name of its file in a home. */
    public static final String FILE = "journal.key";

    private static final String ALGORITHM = "HmacSHA256";

    /** Cloned for every code, because cloning is faster than initialising with the key again. */
    private final Mac keyed;

    private MacKey(byte[] secret) {
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(secret, ALGORITHM));
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("every Java has HMAC with SHA-256", impossible);
        }
    }

    /**
     * The key of this home, or the configured one.
     *
     * @throws StartupRefusal if the key has another form or cannot be read
     */
    public static MacKey of(PurserHome home, LedgerSettings settings) {
        return new MacKey(KeyFile.secrets(
                        home, FILE, settings.journalKey().text(), "PURSER_LEDGER_JOURNAL_KEY", () -> KeyFile.drawn(32))
                .newest());
    }

    /** A new key that is not stored. */
    static MacKey drawn() {
        return new MacKey(KeyFile.drawn(32));
    }

    /** The code of a message, 32 bytes. */
    public byte[] code(byte[] message) {
        try {
            return ((Mac) keyed.clone()).doFinal(message);
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException("every Java's own HMAC can be copied", impossible);
        }
    }

    @Override
    public String toString() {
        return "MacKey[redacted]";
    }
}
