package dev.purser.dataset;

import dev.purser.store.LedgerSettings;

class SqliteTamperedDatasetsTests extends TamperedDatasetsContract {
    @Override
    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }
}
