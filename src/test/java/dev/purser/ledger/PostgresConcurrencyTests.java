package dev.purser.ledger;

import dev.purser.store.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** One instance. The first tier of tests runs {@link TwoInstancesConcurrencyTests} instead. */
@Tag("full")
class PostgresConcurrencyTests extends LedgerConcurrencyContract {
    @Override
    List<OpenLedger> open(Path folder) {
        return List.of(new OpenLedger(folder, PostgresServer.shared().newDatabase()));
    }
}
