package dev.purser.ledger;

/**
 * An answer as the ledger stored it: the only form in which an answer is ever released.
 *
 * @param body the JSON bytes, read back from the database
 */
public record StoredAnswer(String queryId, String datasetId, String principal, byte[] body) {}
