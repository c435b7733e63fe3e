package dev.purser.collection;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresTamperedCollectionsTests extends TamperedCollectionsContract {
    @Override
    LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
