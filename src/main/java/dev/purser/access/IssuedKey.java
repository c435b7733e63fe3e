package dev.purser.access;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The public part of a key: everything except its secret and the secret's hash.
 *
 * @param name the principal
 * @param expiresAt the moment from which the key is invalid; null for never
 * @param revokedAt the moment of the revocation; null if the key was not revoked
 * @param replaces the previous key of the same name; null for the first
 * @param identity the identity whose tokens sign in; null for a key with a secret
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
        @Nullable String replaces,
        @Nullable Identity identity) {
    /** Times are whole milliseconds, as they are stored. */
    public IssuedKey {
        expiresAt = expiresAt == null ? null : expiresAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Whether a key is valid. */
    public enum State {
        ACTIVE,
        EXPIRED,
        REVOKED
    }

    /** The state of the key at a moment. */
    public State stateAt(Instant now) {
        if (revokedAt != null) {
            return State.REVOKED;
        }
        return expiresAt == null || now.isBefore(expiresAt) ? State.ACTIVE : State.EXPIRED;
    }

    IssuedKey revoked(Instant at) {
        return new IssuedKey(keyId, name, role, datasets, collections, createdAt, expiresAt, at, replaces, identity);
    }
}
