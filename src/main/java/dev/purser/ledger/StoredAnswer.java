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

    /** SQLite reads a text from its beginning for every part of it, so a long one has few parts. */
    private static final int PARTS = 16;

    /** How many bytes after the beginning are read at once. */
    int partBytes() {
        return Math.toIntExact(Math.max(MAX_BEGINNING, length / PARTS));
    }
}
