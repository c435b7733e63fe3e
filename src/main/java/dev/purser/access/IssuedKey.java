package dev.purser.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is public of a key that was made: everything but its secret, and the hash of that, which no value carries.
 *
 * @param name the principal
 * @param expiresAt from when on it opens nothing; null for never
 * @param revokedAt since when it opens nothing; null if it was not revoked
 * @param replaces the key before this one of the same name; null on the first
 */
public record IssuedKey(
        String keyId,
        String name,
        Role role,
        Grants datasets,
        Grants collections,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable String replaces) {
    /** Whether a key opens anything. */
    public enum State {
        ACTIVE,
        EXPIRED,
        REVOKED
    }

    /** Where the key stands at a moment. */
    public State stateAt(Instant now) {
        if (revokedAt != null) {
            return State.REVOKED;
        }
        return expiresAt == null || now.isBefore(expiresAt) ? State.ACTIVE : State.EXPIRED;
    }
}
