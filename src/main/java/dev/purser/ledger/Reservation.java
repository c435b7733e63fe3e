package dev.purser.ledger;

import dev.purser.problem.ProblemException;

/** A question that was charged and has no answer yet. */
public final class Reservation {
    private final BookedQuestion question;

    Reservation(BookedQuestion question) {
        this.question = question;
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
     * @throws ProblemException {@code internal-error} if what is stored is not the request that was charged
     */
    public byte[] requestBody() {
        return question.chargedRequest();
    }
}
