package dev.purser.ledger;

/**
 * An answer as the ledger stored it. Answers are released only in this form.
 *
 * @param body the JSON bytes, read back from the database
 */
public record StoredAnswer(String queryId, String datasetId, String principal, byte[] body) {}
