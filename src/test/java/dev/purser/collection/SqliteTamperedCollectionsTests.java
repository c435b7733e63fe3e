package dev.purser.collection;

import dev.purser.store.LedgerSettings;

class SqliteTamperedCollectionsTests extends TamperedCollectionsContract {
    @Override
    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }
}
