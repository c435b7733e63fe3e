package dev.purser.ledger;

import dev.purser.store.KeyFile;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

import static org.bouncycastle.util.Arrays.reverse;

/**
 * The service's Ed25519 key (RFC 8032). It signs receipts and the anchor. The operator sets it as
 * {@code PURSER_SIGNING_KEY}, the same for all instances on one ledger. Otherwise the first start draws a key and
 * stores it in the home as {@code signing.key}. The public key is stored in the home as {@code signing.pub}, for
 * distribution.
 *
 * <p>Bouncy Castle signs, for speed: the anchor is signed with every group of debits. Java verifies, and reads and
 * writes keys.
 */
public final class SigningKey {
    static final String ALGORITHM = "Ed25519";
    private static final String REMEDY = "Make the file readable to this user, or set PURSER_SIGNING_KEY.";

    private final Ed25519PrivateKeyParameters privateKey;
    private final PublicKey publicKey;

    /** @param seed the private key as RFC 8032 has it, 32 bytes */
    private SigningKey(byte[] seed) throws GeneralSecurityException {
        this.privateKey = new Ed25519PrivateKeyParameters(seed);
        this.publicKey = publicKeyOf(privateKey);
    }

    /**
     * The key of this home.
     *
     * @param configured PKCS#8 as PEM or as base64 alone; empty for the key in the home
     * @throws StartupRefusal if it is not an Ed25519 key, or cannot be read
     */
    public static SigningKey of(PurserHome home, String configured) {
        KeyFile file = new KeyFile(home, "signing.key", "The signing key", REMEDY);
        SigningKey key = configured.isBlank()
                ? parsed(file.text(StandardCharsets.ISO_8859_1, SigningKey::drawn), "The signing key in " + file.path())
                : parsed(configured, "PURSER_SIGNING_KEY");
        try {
            keepPublicKey(home, key);
            return key;
        } catch (IOException failure) {
            throw file.unreadable(failure);
        }
    }

    private static void keepPublicKey(PurserHome home, SigningKey key) throws IOException {
        Path file = home.path().resolve("signing.pub");
        byte[] text = Pem.text("PUBLIC KEY", key.publicKey.getEncoded());
        if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), text)) {
            home.writePrivately(file, text);
        }
    }

    private static byte[] drawn() {
        byte[] seed = KeyFile.drawn(Ed25519PrivateKeyParameters.KEY_SIZE);
        EdECPrivateKeySpec key = new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed);
        try {
            byte[] pkcs8 =
                    KeyFactory.getInstance(ALGORITHM).generatePrivate(key).getEncoded();
            return Pem.text("PRIVATE KEY", pkcs8);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has Ed25519", impossible);
        }
    }

    private static SigningKey parsed(String text, String place) {
        try {
            PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(Pem.bytes(text));
            EdECPrivateKey key =
                    (EdECPrivateKey) KeyFactory.getInstance(ALGORITHM).generatePrivate(encoded);
            return new SigningKey(
                    key.getBytes().orElseThrow(() -> new GeneralSecurityException("a key without its bytes")));
        } catch (GeneralSecurityException | IllegalArgumentException notAKey) {
            throw new StartupRefusal(
                    place + " is not an Ed25519 private key (PKCS#8).",
                    "Make one with: openssl genpkey -algorithm ed25519",
                    notAKey);
        }
    }

    /** A point is encoded as its y, little-endian; the highest bit says whether x is odd (RFC 8032, section 5.1.2). */
    private static PublicKey publicKeyOf(Ed25519PrivateKeyParameters key) throws GeneralSecurityException {
        byte[] bigEndian = reverse(key.generatePublicKey().getEncoded());
        boolean odd = bigEndian[0] < 0;
        bigEndian[0] &= 0x7f;
        EdECPoint point = new EdECPoint(odd, new BigInteger(1, bigEndian));
        return KeyFactory.getInstance(ALGORITHM)
                .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
    }

    /** The signature of these bytes, 64 bytes long. */
    byte[] sign(byte[] message) {
        Ed25519Signer signer = new Ed25519Signer();
        signer.init(true, privateKey);
        signer.update(message, 0, message.length);
        return signer.generateSignature();
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
