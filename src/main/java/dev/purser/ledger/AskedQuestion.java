package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A question as it is listed for the principal that asked it.
 *
 * @param sequence the sequence number of the question's entry in the account's ledger
 * @param answered whether its answer is stored; if not, a repetition of the request with its key gets the answer
 * @param refinable whether the released integers of its answer are stored, and no question refines it
 * @param refinedBy the question that refines its answer; null if none does
 */
public record AskedQuestion(
        String queryId,
        long sequence,
        Instant at,
        String kind,
        PrivacyAmount charge,
        PrivacyAmount limitAfter,
        String idempotencyKey,
        boolean answered,
        boolean refinable,
        @Nullable String refinedBy) {}
