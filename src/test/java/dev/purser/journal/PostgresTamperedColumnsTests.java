package dev.purser.journal;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresTamperedColumnsTests extends TamperedColumnsContract {
    @Override
    LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
