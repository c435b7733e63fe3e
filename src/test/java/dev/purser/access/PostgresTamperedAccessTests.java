package dev.purser.access;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;

class PostgresTamperedAccessTests extends TamperedAccessContract {
    @Override
    LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
