package dev.purser.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A question that was debited, with the entry that debited it.
 *
 * @param body the answer's bytes, or null as long as there is none
 */
record Question(
        String queryId,
        String account,
        String datasetId,
        RequestIdentity identity,
        byte[] requestDigest,
        LedgerEntry entry,
        byte @Nullable [] body) {}
