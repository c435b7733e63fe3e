package dev.purser.access.web;

import dev.purser.access.Allotments.Allotment;
import dev.purser.access.IssuedKey;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

@Schema(name = "OwnKey", description = "The permissions of a key, for its holder.")
record OwnKeyView(
        @Schema(description = "Null for the administrator's own key.", example = "k3xq7o2vh5ztw4na") @Nullable
        String keyId,

        @Schema(description = "The principal, and the ledger's `analyst`.", example = "ana")
        String name,

        Role role,

        @Schema(
                description = "The datasets granted: their ids in order, or `[\"*\"]` for all, present and future. A"
                        + " custodian's own are not listed.",
                example = "[\"adult\"]")
        List<String> datasets,

        @Schema(
                description = "The collections granted: their ids in order, or `[\"*\"]` for all, present and future.",
                example = "[]")
        List<String> collections,

        @Schema(description = "When the key expires; null for never.") @Nullable
        Instant expiresAt,

        @Schema(description = "The amounts that this principal may spend, by dataset.")
        List<Allotment> allotments) {
    static OwnKeyView of(Principal principal, List<Allotment> allotments) {
        IssuedKey key = principal.key();
        return new OwnKeyView(
                key == null ? null : key.keyId(),
                principal.name(),
                principal.role(),
                principal.datasets().listed(),
                principal.collections().listed(),
                key == null ? null : key.expiresAt(),
                allotments);
    }
}
