package dev.purser.digest;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 (FIPS 180-4). */
public final class Sha256 {
    /** Cloned for every digest: cloning is faster than looking up a provider. */
    private static final MessageDigest UNUSED = unused();

    private Sha256() {}

    private static MessageDigest unused() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    /** A digest for a message that arrives in parts. */
    public static MessageDigest begin() {
        try {
            return (MessageDigest) UNUSED.clone();
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException("every Java's own SHA-256 can be copied", impossible);
        }
    }

    /** The 32 bytes of the digest of a message, which may be in parts. */
    public static byte[] of(byte[]... message) {
        MessageDigest digest = begin();
        for (byte[] part : message) {
            digest.update(part);
        }
        return digest.digest();
    }

    /** The digest in 64 lower-case hexadecimal digits. */
    public static String hexOf(byte[] message) {
        return HexFormat.of().formatHex(of(message));
    }
}
