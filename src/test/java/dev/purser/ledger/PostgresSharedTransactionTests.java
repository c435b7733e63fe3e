package dev.purser.ledger;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;

class PostgresSharedTransactionTests extends SharedTransactionContract {
    @Override
    LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
