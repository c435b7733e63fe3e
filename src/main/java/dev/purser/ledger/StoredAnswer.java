package dev.purser.ledger;

import dev.purser.digest.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * An answer as the ledger stored it. Answers are released only in this form, with {@link BudgetLedger#open}.
 *
 * @param beginning the first bytes of its JSON, read back from the database
 * @param whole the record of the whole answer; null if the beginning is all of it
 */
public record StoredAnswer(
        String queryId,
        String datasetId,
        String principal,
        String kind,
        byte[] beginning,
        @Nullable LongAnswer whole) {
    /** An answer may have megabytes. A list of replays must not hold whole answers in memory. */
    static final int MAX_BEGINNING = 1 << 16;

    /** How many bytes its JSON has. */
    public long length() {
        return whole == null ? beginning.length : whole.length();
    }

    /** The SHA-256 digest of its bytes. */
    byte[] digest() {
        return whole == null ? Sha256.of(beginning) : whole.digest();
    }

    /** How many pieces it has, its beginning included. */
    int pieces() {
        return whole == null ? 1 : whole.pieces();
    }
}
