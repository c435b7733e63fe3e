package dev.purser.session;

import dev.purser.store.LedgerSettings;

class SqliteInteractionsTests extends InteractionsContract {
    @Override
    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }
}
