package dev.purser.ledger;

/** What the ledger says to a question that fits its budget or was paid for before. */
public sealed interface Admission {
    /** The debit stands, durably; the answer has to be computed. On a retry after a crash this is the first attempt's debit. */
    record Reserved(CommittedDebit debit) implements Admission {}

    /** The question was answered before; these bytes are the answer, and nothing was debited now. */
    record Replayed(StoredAnswer answer) implements Admission {}
}
