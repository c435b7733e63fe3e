package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.privacy.Blocks;
import org.jspecify.annotations.Nullable;

/**
 * A charged question, as its receipt states it.
 *
 * @param requestDigest SHA-256 of the raw request body, in hexadecimal
 * @param answerDigest SHA-256 of the answer's bytes, in hexadecimal; null without an answer
 * @param blocks the blocks of the account; null if it has none
 * @param headSequence the number of the account's last entry; its hash is {@code headHash}
 */
public record ChargedQuestion(
        String queryId,
        String datasetId,
        RequestIdentity identity,
        String requestDigest,
        @Nullable String answerDigest,
        LedgerEntry entry,
        String account,
        Accountant accountant,
        @Nullable Blocks blocks,
        long headSequence,
        String headHash) {}
