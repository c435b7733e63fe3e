package dev.purser.collection;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;

class PostgresTamperedCollectionsTests extends TamperedCollectionsContract {
    @Override
    LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
