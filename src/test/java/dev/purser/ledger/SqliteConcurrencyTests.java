package dev.purser.ledger;

import java.nio.file.Path;
import java.util.List;

class SqliteConcurrencyTests extends LedgerConcurrencyContract {
    @Override
    List<OpenLedger> open(Path folder) {
        return List.of(new OpenLedger(folder));
    }
}
