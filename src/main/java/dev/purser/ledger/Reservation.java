package dev.purser.ledger;

import dev.purser.problem.ProblemException;

/** A question that was charged and has no answer yet. */
public final class Reservation {
    private final BookedQuestion question;
    private final boolean wasAnswered;

    /** @param wasAnswered whether the journal records an answer that the books lack */
    Reservation(BookedQuestion question, boolean wasAnswered) {
        this.question = question;
        this.wasAnswered = wasAnswered;
    }

    public CommittedDebit debit() {
        return question.debit();
    }

    public String datasetId() {
        return question.datasetId();
    }

    /** The kind of question, for example {@code mean}. */
    public String kind() {
        return question.kind();
    }

    public RequestIdentity identity() {
        return question.identity();
    }

    /**
     * The raw bytes of the request.
     *
     * @throws ProblemException {@code internal-error} if what is stored is not the request that was charged, or if it
     *     was answered before
     */
    public byte[] requestBody() {
        if (wasAnswered) {
            throw NotAsCharged.question(debit().queryId(), "its answer is gone");
        }
        return question.chargedRequest();
    }
}
