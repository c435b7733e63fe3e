package dev.purser.interactive;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;

class PostgresInteractionsTests extends InteractionsContract {
    @Override
    LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
