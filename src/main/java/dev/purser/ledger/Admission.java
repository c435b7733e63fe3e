package dev.purser.ledger;

/** The ledger's reply to a question that fits its budget or was charged before. */
public sealed interface Admission {
    /**
     * The debit is durable and the answer has to be computed. A retry of an unanswered question gets the debit of its
     * first attempt.
     */
    record Reserved(CommittedDebit debit) implements Admission {}

    /** The question was answered before. This is the stored answer, and nothing was debited now. */
    record Replayed(StoredAnswer answer) implements Admission {}
}
