package dev.purser.access.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;

/** The body of a key's creation, as the API describes it; {@code NewKey} reads it. */
@Schema(
        name = "KeyCreation",
        requiredProperties = {"name", "role"})
record KeyRequest(
        @Schema(
                description = "The principal, and the ledger's `analyst`. Unique for ever; `admin` is taken.",
                pattern = "[a-z][a-z0-9._-]{0,62}",
                example = "ana")
        String name,

        @Schema(
                description =
                        "`administrator`: everything. `custodian`: registers, uploads, sets budgets, asks no questions."
                                + " `analyst`: quotes and asks. `auditor`: reads ledgers. `collector`: sends reports."
                                + " `operator`: reads health and metrics.",
                allowableValues = {"administrator", "custodian", "analyst", "collector", "auditor", "operator"},
                example = "analyst")
        String role,

        @Schema(
                description = "The datasets granted: at most 1000 ids, which need not exist yet, or `[\"*\"]` for all,"
                        + " present and future. None by default. A custodian sees what it registered without a grant.",
                example = "[\"adult\"]")
        List<String> datasets,

        @Schema(description = "The collections granted, in the same form. None by default.", example = "[]")
        List<String> collections,

        @Schema(description = "When the key expires: an instant in the future, RFC 3339. Never by default.")
        Instant expiresAt,

        @Schema(
                description = "The id of the last key of the same name, which is revoked at the same moment.",
                pattern = "[a-z2-7]{16}")
        String replaces) {
    static final String ANA = """
            {"name": "ana", "role": "analyst", "datasets": ["visits"]}""";
}
