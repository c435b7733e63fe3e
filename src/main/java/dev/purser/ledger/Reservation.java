package dev.purser.ledger;

/**
 * A question that was charged and has no answer yet.
 *
 * @param kind the kind of question, for example {@code mean}
 * @param requestBody the raw bytes of the request
 */
public record Reservation(
        CommittedDebit debit, String datasetId, String kind, RequestIdentity identity, byte[] requestBody) {}
