package dev.purser.access;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresTamperedAccessTests extends TamperedAccessContract {
    @Override
    LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
