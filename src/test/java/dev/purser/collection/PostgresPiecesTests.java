package dev.purser.collection;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;

class PostgresPiecesTests extends PiecesContract {
    @Override
    LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
