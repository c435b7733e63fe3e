package dev.purser.dataset;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;

class PostgresTamperedDatasetsTests extends TamperedDatasetsContract {
    @Override
    LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
