package dev.purser.ledger;

/**
 * An answer as the ledger stored it. Answers are released only in this form: {@link BudgetLedger#open}.
 *
 * @param length how many bytes its JSON has
 * @param beginning the first of them, read back from the database: all, or {@link #MAX_BEGINNING}
 */
public record StoredAnswer(
        String queryId, String datasetId, String principal, String kind, long length, byte[] beginning) {
    /** An answer may have megabytes. A list of replays must not hold them all in memory. */
    static final int MAX_BEGINNING = 1 << 16;
}
