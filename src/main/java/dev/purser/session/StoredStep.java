package dev.purser.session;

import java.util.Arrays;

/**
 * A step that was answered.
 *
 * @param interaction the id of its interaction
 * @param sequence 1, 2, 3 … within its interaction
 * @param requestDigest SHA-256 of the request that took the step
 * @param body the answer, byte for byte
 */
public record StoredStep(String interaction, long sequence, byte[] requestDigest, byte[] body) {
    public boolean isFor(byte[] digest) {
        return Arrays.equals(requestDigest, digest);
    }
}
