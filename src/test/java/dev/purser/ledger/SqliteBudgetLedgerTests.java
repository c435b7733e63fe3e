package dev.purser.ledger;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteBudgetLedgerTests extends BudgetLedgerContract {
    /** SQLite takes a text as a number, and replaces a row without running the row's trigger for deletions. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE account SET spent_epsilon_nanos = 'many', head_sequence = head_sequence + 1",
                "INSERT OR REPLACE INTO entry SELECT account, 1, at_millis, 'limit', analyst, NULL, NULL, NULL, 0, 0,"
                        + " 0, limit_after_epsilon_nanos, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
                        + " hash, hash, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM entry"
                        + " WHERE sequence = 2"
            })
    void theBooksAreKeptAsTheyAre(String statement) {
        open.debit("k", "0.4");
        assertRefused(statement);
    }
}
