package dev.purser.access;

import dev.purser.store.LedgerSettings;

class SqliteTamperedAccessTests extends TamperedAccessContract {
    @Override
    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }
}
