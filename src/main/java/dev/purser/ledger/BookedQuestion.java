package dev.purser.ledger;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A question that was debited, with the entry that debited it.
 *
 * @param requestDigest SHA-256 of the raw request body
 * @param requestBody the raw request, kept until there is an answer; null where it is gone or was not looked up
 * @param body the answer's bytes, or null as long as there is none
 */
record BookedQuestion(
        String queryId,
        String account,
        String datasetId,
        RequestIdentity identity,
        byte[] requestDigest,
        LedgerEntry entry,
        byte @Nullable [] requestBody,
        byte @Nullable [] body) {

    /** Whether the entry was made for this very request: its hash binds it. */
    boolean isTheOneItsEntryPaidFor() {
        return queryId.equals(entry.queryId())
                && identity.principal().equals(entry.analyst())
                && LedgerChain.requestHash(datasetId, identity, requestDigest).equals(entry.requestHash());
    }

    CommittedDebit debit() {
        Allotment allotment = entry.allotmentAfter();
        return new CommittedDebit(
                queryId,
                account,
                entry.sequence(),
                entry.charge(),
                entry.limitAfter(),
                allotment == null
                        ? entry.remainingAfter()
                        : entry.remainingAfter().least(allotment.remaining()));
    }

    /** As it is listed for the one who asked it. */
    AskedQuestion asked(boolean answered) {
        return new AskedQuestion(
                queryId,
                entry.sequence(),
                entry.at(),
                kind(),
                entry.charge(),
                entry.limitAfter(),
                identity.idempotencyKey(),
                answered);
    }

    /** As it is taken up again, if its request is still there. */
    Reservation reservation() {
        return new Reservation(debit(), datasetId, kind(), identity, Objects.requireNonNull(requestBody));
    }

    private String kind() {
        return Objects.requireNonNull(entry.kind());
    }

    /** Its stored answer, once there is one. */
    Optional<StoredAnswer> answer() {
        return Optional.ofNullable(body)
                .map(stored -> new StoredAnswer(queryId, datasetId, identity.principal(), stored));
    }
}
