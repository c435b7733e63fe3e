package dev.purser.ledger;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresSharedTransactionTests extends SharedTransactionContract {
    @Override
    protected LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
