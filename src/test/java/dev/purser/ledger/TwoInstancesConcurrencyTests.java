package dev.purser.ledger;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import java.nio.file.Path;
import java.util.List;

class TwoInstancesConcurrencyTests extends LedgerConcurrencyContract {
    @Override
    List<OpenLedger> open(Path folder) {
        LedgerSettings database = PostgresServer.shared().newDatabase();
        return List.of(
                new OpenLedger(folder.resolve("one"), database), new OpenLedger(folder.resolve("two"), database));
    }
}
