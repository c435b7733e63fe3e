package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.store.KeyFile;
import java.math.BigInteger;
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
import java.util.Base64;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;

import static org.bouncycastle.util.Arrays.reverse;

/**
 * One of the service's Ed25519 keys (RFC 8032); see {@link SigningKeys}.
 *
 * <p>Bouncy Castle signs, for speed: the anchor is signed with every group of debits. Java verifies, and reads and
 * writes keys.
 */
public final class SigningKey {
    static final String ALGORITHM = "Ed25519";

    private final Ed25519PrivateKeyParameters privateKey;
    private final PublicKey publicKey;

    /** @param seed the private key as RFC 8032 has it, 32 bytes */
    private SigningKey(byte[] seed) throws GeneralSecurityException {
        this.privateKey = new Ed25519PrivateKeyParameters(seed);
        this.publicKey = publicKeyOf(privateKey);
    }

    /** A new key as the lines of a file. */
    static byte[] drawn() {
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

    /**
     * Reads a key.
     *
     * @param text PKCS#8 as PEM or as base64 alone
     * @throws IllegalArgumentException if it is not an Ed25519 key
     */
    static SigningKey parsed(String text) {
        try {
            PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(Pem.bytes(text));
            EdECPrivateKey key =
                    (EdECPrivateKey) KeyFactory.getInstance(ALGORITHM).generatePrivate(encoded);
            return new SigningKey(
                    key.getBytes().orElseThrow(() -> new GeneralSecurityException("a key without its bytes")));
        } catch (GeneralSecurityException | IllegalArgumentException notAKey) {
            throw new IllegalArgumentException("is not an Ed25519 private key (PKCS#8)", notAKey);
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
