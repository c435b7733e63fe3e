package dev.purser.interactive;

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
 * associated data: it opens together with that text only. Sealed are a random nonce of 12 bytes, then the ciphertext
 * with its tag of 16 bytes.
 *
 * <p>Random nonces permit 2^32 states under one key.
 */
public final class StateSeal {
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    /** @param key 32 bytes */
    public StateSeal(byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("a key has 32 bytes");
        }
        this.key = new SecretKeySpec(key, "AES");
    }

    byte[] seal(byte[] secret, String boundTo) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] ciphertext = run(Cipher.ENCRYPT_MODE, nonce, secret, boundTo).orElseThrow();
        return ByteBuffer.allocate(NONCE_BYTES + ciphertext.length)
                .put(nonce)
                .put(ciphertext)
                .array();
    }

    /** The state; empty if it was not sealed with this key and bound to this text. */
    Optional<byte[]> open(byte[] sealed, String boundTo) {
        if (sealed.length < NONCE_BYTES) {
            return Optional.empty();
        }
        byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
        byte[] ciphertext = Arrays.copyOfRange(sealed, NONCE_BYTES, sealed.length);
        return run(Cipher.DECRYPT_MODE, nonce, ciphertext, boundTo);
    }

    private Optional<byte[]> run(int mode, byte[] nonce, byte[] text, String boundTo) {
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
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
