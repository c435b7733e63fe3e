package dev.purser.ledger;

import java.time.Instant;

/** The ledger's reply to a question that fits its budget or was charged before. */
public sealed interface ReserveOutcome {
    /**
     * The debit is durable and the answer has to be computed. A retry of an unanswered question gets the debit of its
     * first attempt.
     */
    record Reserved(CommittedDebit debit) implements ReserveOutcome {}

    /** The question was answered before. This is the stored answer, and nothing was debited now. */
    record Replayed(StoredAnswer answer) implements ReserveOutcome {}

    /**
     * The same question was answered before under another identity. Nothing was debited now, and the asker may read
     * that answer from now on.
     *
     * @param charged when it was charged
     * @param leftover what the asker has left
     */
    record Reused(StoredAnswer answer, Instant charged, Leftover leftover) implements ReserveOutcome {}

    /**
     * An earlier question of the same plan is the same question, and still has to be answered. Nothing was debited for
     * this repetition.
     */
    record Shared(String queryId, Instant charged, Leftover leftover) implements ReserveOutcome {
        public Reused answered(StoredAnswer answer) {
            return new Reused(answer, charged, leftover);
        }
    }

    /** The same question was debited under another identity and is being answered. Nothing was debited now. */
    record Awaited() implements ReserveOutcome {}
}
