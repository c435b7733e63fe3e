package dev.purser.interactive;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts the secret state of an interaction with AES-256-GCM (NIST SP 800-38D). The seal is bound to the interaction
 * and its version, so the state of another one, or an earlier one, does not open. Sealed are a random nonce of 12
 * bytes, then the ciphertext with its tag of 16 bytes.
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

    byte[] seal(byte[] secret, String interactionId, long version) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] ciphertext = run(Cipher.ENCRYPT_MODE, nonce, secret, interactionId, version);
        return ByteBuffer.allocate(NONCE_BYTES + ciphertext.length)
                .put(nonce)
                .put(ciphertext)
                .array();
    }

    /** @throws IllegalStateException if it was not sealed with this key for this interaction and version */
    byte[] open(byte[] sealed, String interactionId, long version) {
        byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
        byte[] ciphertext = Arrays.copyOfRange(sealed, NONCE_BYTES, sealed.length);
        return run(Cipher.DECRYPT_MODE, nonce, ciphertext, interactionId, version);
    }

    private byte[] run(int mode, byte[] nonce, byte[] text, String interactionId, long version) {
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(
                    ("purser-interaction-1\n" + interactionId + "\n" + version).getBytes(StandardCharsets.UTF_8));
            return cipher.doFinal(text);
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("the state of an interaction does not open", failure);
        }
    }

    @Override
    public String toString() {
        return "StateSeal[redacted]";
    }
}
