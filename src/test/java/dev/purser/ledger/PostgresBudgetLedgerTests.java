package dev.purser.ledger;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import org.junit.jupiter.api.Test;

class PostgresBudgetLedgerTests extends BudgetLedgerContract {
    private final LedgerSettings database = PostgresServer.shared().newDatabase();

    @Override
    protected LedgerSettings settings() {
        return database;
    }

    @Test
    void booksAreNotTruncated() {
        open.debit("k", "0.4");
        assertRefused("TRUNCATE entry, question");
    }
}
