package dev.purser.dataset;

import java.util.Arrays;

/** Secrets as a test needs them. */
public final class FingerprintSecrets {
    private FingerprintSecrets() {}

    /** A secret of 32 bytes, all with this value. */
    public static FingerprintSecret of(int value) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) value);
        return new FingerprintSecret(bytes);
    }
}
