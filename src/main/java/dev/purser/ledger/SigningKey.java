package dev.purser.ledger;

import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.Arrays;
import java.util.Base64;

/**
 * The service's Ed25519 key (RFC 8032): it signs receipts and the anchor. The operator sets it as {@code PURSER_SIGNING_KEY},
 * the same for all instances on one ledger; otherwise the first start draws one and keeps it in the home as {@code
 * signing.key}. The public half is kept beside it as {@code signing.pub}, to be handed out.
 */
public final class SigningKey {
    static final String ALGORITHM = "Ed25519";

    private final PrivateKey privateKey;
    private final PublicKey publicKey;

    private SigningKey(KeyPair pair) {
        this.privateKey = pair.getPrivate();
        this.publicKey = pair.getPublic();
    }

    /**
     * The key of this home.
     *
     * @param configured PKCS#8 in PEM or in base64 alone; empty for the key in the home
     * @throws StartupRefusal if it is no Ed25519 key, or cannot be read
     */
    public static SigningKey of(PurserHome home, String configured) {
        Path file = home.path().resolve("signing.key");
        try {
            SigningKey key;
            if (!configured.isBlank()) {
                key = parsed(configured, "PURSER_SIGNING_KEY");
            } else if (Files.exists(file)) {
                key = parsed(Files.readString(file, StandardCharsets.ISO_8859_1), "The signing key in " + file);
            } else {
                key = drawn();
                home.writePrivately(file, Pem.text("PRIVATE KEY", key.privateKey.getEncoded()));
            }
            keepPublicKey(home, key);
            return key;
        } catch (IOException failure) {
            throw new StartupRefusal(
                    "The signing key in " + file + " cannot be read: " + failure,
                    "Make the file readable to this user, or set PURSER_SIGNING_KEY.",
                    failure);
        }
    }

    private static void keepPublicKey(PurserHome home, SigningKey key) throws IOException {
        Path file = home.path().resolve("signing.pub");
        byte[] text = Pem.text("PUBLIC KEY", key.publicKey.getEncoded());
        if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), text)) {
            home.writePrivately(file, text);
        }
    }

    private static SigningKey drawn() {
        try {
            return new SigningKey(KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has Ed25519", impossible);
        }
    }

    private static SigningKey parsed(String text, String place) {
        try {
            PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(Pem.bytes(text));
            PrivateKey key = KeyFactory.getInstance(ALGORITHM).generatePrivate(encoded);
            return new SigningKey(matching(publicKeyOf((EdECPrivateKey) key), key));
        } catch (GeneralSecurityException | IllegalArgumentException notAKey) {
            throw new StartupRefusal(
                    place + " is not an Ed25519 private key (PKCS#8).",
                    "Make one with: openssl genpkey -algorithm ed25519",
                    notAKey);
        }
    }

    /**
     * PKCS#8 does not say the public key, and Java has no way to derive it but to draw the pair anew from the same seed.
     * Should a Java ever use its seed otherwise, {@link #matching} refuses the pair.
     */
    private static PublicKey publicKeyOf(EdECPrivateKey key) throws GeneralSecurityException {
        byte[] seed = key.getBytes().orElseThrow(() -> new GeneralSecurityException("a key without its bytes"));
        KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
        generator.initialize(NamedParameterSpec.ED25519, new Repeating(seed));
        return generator.generateKeyPair().getPublic();
    }

    /** These two as a pair, once a test signature has shown that they are one. */
    static KeyPair matching(PublicKey publicKey, PrivateKey privateKey) throws GeneralSecurityException {
        byte[] message = "purser".getBytes(StandardCharsets.US_ASCII);
        if (!verifies(publicKey, message, signed(privateKey, message))) {
            throw new GeneralSecurityException("the public key does not belong to the private key");
        }
        return new KeyPair(publicKey, privateKey);
    }

    /** Gives one seed, for deriving; draws nothing. */
    private static final class Repeating extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte[] seed;

        Repeating(byte[] seed) {
            this.seed = seed.clone();
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }

    /** The signature of these bytes, 64 bytes. */
    byte[] sign(byte[] message) {
        try {
            return signed(privateKey, message);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("a key that was checked when it was read", impossible);
        }
    }

    private static byte[] signed(PrivateKey key, byte[] message) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(ALGORITHM);
        signature.initSign(key);
        signature.update(message);
        return signature.sign();
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

    /** The public key's X.509 bytes in base64. */
    String publicKeyText() {
        return Base64.getEncoder().encodeToString(publicKey.getEncoded());
    }
}
