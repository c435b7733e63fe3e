package dev.purser.ledger.proof;

import dev.purser.digest.Sha256;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** One of the service's Ed25519 keys (RFC 8032); see {@link SigningKeys}. */
public final class SigningKey {
    static final String ALGORITHM = "Ed25519";

    private final PrivateKey privateKey;
    private final PublicKey publicKey;

    private SigningKey(EdECPrivateKey privateKey) throws GeneralSecurityException {
        this.privateKey = privateKey;
        this.publicKey = publicKeyOf(privateKey);
    }

    /** A new key as the lines of a file. */
    static byte[] drawn() {
        try {
            KeyPair drawn = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
            return Pem.text("PRIVATE KEY", drawn.getPrivate().getEncoded());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has Ed25519", impossible);
        }
    }

    /**
     * Reads a key.
     *
     * @param text PKCS#8 as PEM or as base64 alone
     * @throws IllegalArgumentException if it is not an Ed25519 key
     */
    static SigningKey parsed(String text) {
        try {
            PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(Pem.bytes(text));
            return new SigningKey(
                    (EdECPrivateKey) KeyFactory.getInstance(ALGORITHM).generatePrivate(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException notAKey) {
            throw new IllegalArgumentException("is not an Ed25519 private key (PKCS#8)", notAKey);
        }
    }

    /**
     * Java derives a public key only while it draws a pair. The generator of pairs takes the 32 bytes of the private
     * key from its random source, so the source here returns the bytes of this key.
     */
    private static PublicKey publicKeyOf(EdECPrivateKey key) throws GeneralSecurityException {
        byte[] seed = key.getBytes().orElseThrow(() -> new GeneralSecurityException("a key without its bytes"));
        KeyPairGenerator pairs = KeyPairGenerator.getInstance(ALGORITHM);
        pairs.initialize(NamedParameterSpec.ED25519, new Given(seed));
        KeyPair pair = pairs.generateKeyPair();
        if (!pair.getPrivate().equals(key)) {
            throw new GeneralSecurityException("this Java draws keys in another way");
        }
        return pair.getPublic();
    }

    /** A source of random numbers that returns given bytes. */
    private static final class Given extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte[] bytes;

        private Given(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public void nextBytes(byte[] drawn) {
            System.arraycopy(bytes, 0, drawn, 0, drawn.length);
        }
    }

    /** The signature of these bytes, 64 bytes long. */
    byte[] sign(byte[] message) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(privateKey);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java signs with Ed25519", impossible);
        }
    }

    /** Whether {@code signature} was made over {@code message} with the key that belongs to {@code key}. */
    static boolean verifies(PublicKey key, byte[] message, byte[] signature) {
        try {
            Signature check = Signature.getInstance(ALGORITHM);
            check.initVerify(key);
            check.update(message);
            return check.verify(signature);
        } catch (GeneralSecurityException notASignature) {
            return false;
        }
    }

    PublicKey publicKey() {
        return publicKey;
    }

    /** A short name of a public key: the first 16 hexadecimal digits of the SHA-256 of its X.509 bytes. */
    static String idOf(PublicKey key) {
        return Sha256.hexOf(key.getEncoded()).substring(0, 16);
    }

    String id() {
        return idOf(publicKey);
    }

    /** The public key's X.509 bytes in base64. */
    String publicKeyText() {
        return Base64.getEncoder().encodeToString(publicKey.getEncoded());
    }
}
