package dev.purser.ledger;

import dev.purser.store.PostgresServer;
import java.nio.file.Path;
import java.util.List;

class PostgresConcurrencyTests extends LedgerConcurrencyContract {
    @Override
    List<OpenLedger> open(Path folder) {
        return List.of(new OpenLedger(folder, PostgresServer.shared().newDatabase()));
    }
}
