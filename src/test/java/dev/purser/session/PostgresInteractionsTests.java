package dev.purser.session;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresInteractionsTests extends InteractionsContract {
    @Override
    LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
