package dev.purser.access.web;

import dev.purser.access.Identity;
import dev.purser.access.IssuedKey;
import dev.purser.access.Role;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

@Schema(name = "Key", description = "The public part of a key.")
record KeyView(
        @Schema(example = "k3xq7o2vh5ztw4na") String keyId,

        @Schema(description = "The principal.", example = "ana")
        String name,

        Role role,

        @Schema(
                description = "The datasets granted: their ids in order, or `[\"*\"]` for all, present and future.",
                example = "[\"adult\"]")
        List<String> datasets,

        @Schema(
                description = "The collections granted: their ids in order, or `[\"*\"]` for all, present and future.",
                example = "[]")
        List<String> collections,

        @Schema(
                description = "Whether the key is valid.",
                allowableValues = {"active", "expired", "revoked"})
        String state,

        @Schema(example = "2026-01-31T12:00:00Z") Instant createdAt,

        @Schema(description = "When the key expires; null for never.") @Nullable
        Instant expiresAt,

        @Schema(description = "When the key was revoked; null if it was not.") @Nullable
        Instant revokedAt,

        @Schema(description = "The previous key of the same name; null for the first.") @Nullable
        String replaces,

        @Schema(description = "Whose tokens sign in; null for a key with a secret.") @Nullable
        Identity identity) {
    static KeyView of(IssuedKey key, Instant now) {
        return new KeyView(
                key.keyId(),
                key.name(),
                key.role(),
                key.datasets().listed(),
                key.collections().listed(),
                key.stateAt(now).name().toLowerCase(Locale.ROOT),
                key.createdAt(),
                key.expiresAt(),
                key.revokedAt(),
                key.replaces(),
                key.identity());
    }
}
