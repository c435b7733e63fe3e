package dev.purser.session;

import dev.purser.store.KeyFile;
import dev.purser.store.KeyList;
import dev.purser.store.PurserHome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts the secret state of an interaction with AES-256-GCM (NIST SP 800-38D). The state is bound to a text, as
 * associated data: it opens together with that text only. The sealed bytes are a random nonce of 12 bytes, then the
 * ciphertext with its tag of 16 bytes.
 *
 * <p>The newest key seals. Every known key is tried to open a state. Another key than the key that sealed a state opens
 * it only with the probability of a forged tag, 2^-128. Random nonces permit 2^32 states under one key.
 */
public final class StateSeal {
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private static final String FILE = "sealing.key";
    private static final String VARIABLE = "PURSER_SEALING_KEY";

    private final KeyList<byte[]> keys;
    private final SecureRandom random = new SecureRandom();

    /** @param keys 32 bytes each */
    StateSeal(KeyList<byte[]> keys) {
        this.keys = keys;
    }

    /**
     * Seals with the configured keys, or with the keys in the home.
     *
     * @param configured the keys in base64, with commas between them; empty for the keys in the home
     * @param first the key that the home begins with: the same for all instances of one ledger
     * @throws dev.purser.store.StartupRefusal if the keys have another form or cannot be read
     */
    public static StateSeal of(PurserHome home, String configured, byte[] first) {
        return new StateSeal(KeyFile.secrets(home, FILE, configured, VARIABLE, first::clone));
    }

    /**
     * Draws a new key into the home.
     *
     * @throws dev.purser.store.StartupRefusal as {@link KeyFile#rotate}
     */
    public static void rotate(PurserHome home) {
        KeyFile.rotateSecrets(home, FILE, VARIABLE);
    }

    byte[] seal(byte[] secret, String boundTo) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] ciphertext =
                run(Cipher.ENCRYPT_MODE, keys.newest(), nonce, secret, boundTo).orElseThrow();
        return ByteBuffer.allocate(NONCE_BYTES + ciphertext.length)
                .put(nonce)
                .put(ciphertext)
                .array();
    }

    /** The state; empty if it was not sealed with a known key and bound to this text. */
    Optional<byte[]> open(byte[] sealed, String boundTo) {
        if (sealed.length < NONCE_BYTES) {
            return Optional.empty();
        }
        byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
        byte[] ciphertext = Arrays.copyOfRange(sealed, NONCE_BYTES, sealed.length);
        return keys.now().stream()
                .flatMap(key -> run(Cipher.DECRYPT_MODE, key, nonce, ciphertext, boundTo).stream())
                .findFirst();
    }

    private static Optional<byte[]> run(int mode, byte[] key, byte[] nonce, byte[] text, String boundTo) {
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(boundTo.getBytes(StandardCharsets.UTF_8));
            return Optional.of(cipher.doFinal(text));
        } catch (AEADBadTagException changed) {
            return Optional.empty();
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("every Java has AES-256-GCM", failure);
        }
    }

    @Override
    public String toString() {
        return "StateSeal[redacted]";
    }
}
