package dev.purser.dataset;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresTamperedDatasetsTests extends TamperedDatasetsContract {
    @Override
    LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
