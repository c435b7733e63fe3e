package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.problem.ProblemException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A question that was debited, with the entry that debited it.
 *
 * @param requestDigest SHA-256 of the raw request body
 * @param requestBody the raw request, kept until there is an answer; null if it was removed or not read
 * @param answerBeginning the answer's first bytes, as in {@link StoredAnswer}; null if there is no answer or it was not
 *     read
 * @param longAnswer the record of an answer that is longer than its beginning; null for any other answer
 */
record BookedQuestion(
        String queryId,
        String account,
        String datasetId,
        RequestIdentity identity,
        byte[] requestDigest,
        LedgerEntry entry,
        byte @Nullable [] requestBody,
        byte @Nullable [] answerBeginning,
        @Nullable LongAnswer longAnswer) {

    /** Whether the entry was made for this request. The entry's hash, which is verified here, binds the request. */
    boolean isTheOneItsEntryPaidFor() {
        return entry.hash().equals(LedgerChain.hash(account, entry))
                && queryId.equals(entry.queryId())
                && identity.principal().equals(entry.analyst())
                && LedgerChain.requestHash(datasetId, identity, requestDigest).equals(entry.requestHash());
    }

    /**
     * The same question.
     *
     * @throws ProblemException {@code internal-error} if the entry was not made for this request
     */
    BookedQuestion asCharged() {
        if (!isTheOneItsEntryPaidFor()) {
            throw NotAsCharged.question(queryId, "its entry in the ledger was made for another question");
        }
        return this;
    }

    /** Whether this is the request that was charged, byte for byte. */
    boolean isFor(byte @Nullable [] request) {
        return request != null && Arrays.equals(requestDigest, Sha256.of(request));
    }

    /**
     * The request, which has to be present.
     *
     * @throws ProblemException {@code internal-error} if it is not the request that was charged
     */
    byte[] chargedRequest() {
        if (!asCharged().isFor(requestBody)) {
            throw NotAsCharged.question(queryId, "its stored request is not the one that was charged");
        }
        return Objects.requireNonNull(requestBody);
    }

    /** Whether the question was closed without an answer, because a lost answer to it may have been released. */
    boolean isClosed() {
        return Arrays.equals(answerBeginning, LedgerRules.CLOSED);
    }

    CommittedDebit debit() {
        return new CommittedDebit(
                queryId,
                account,
                entry.sequence(),
                entry.charge(),
                entry.limitAfter(),
                entry.remainingAfter(),
                entry.window());
    }

    /** The same question, answered. */
    BookedQuestion withAnswer(byte[] beginning, @Nullable LongAnswer whole) {
        return new BookedQuestion(queryId, account, datasetId, identity, requestDigest, entry, null, beginning, whole);
    }

    /** The question as a list shows it. */
    AskedQuestion asked(boolean answered, boolean refinable, @Nullable String refinedBy) {
        return new AskedQuestion(
                queryId,
                entry.sequence(),
                entry.at(),
                kind(),
                entry.charge(),
                entry.limitAfter(),
                identity.idempotencyKey(),
                answered,
                refinable,
                refinedBy);
    }

    String kind() {
        return Objects.requireNonNull(entry.kind());
    }

    Optional<StoredAnswer> answer() {
        return Optional.ofNullable(answerBeginning)
                .map(stored -> new StoredAnswer(queryId, datasetId, identity.principal(), kind(), stored, longAnswer));
    }
}
