package dev.purser.ledger;

import dev.purser.store.LedgerSettings;

class SqliteSharedTransactionTests extends SharedTransactionContract {
    @Override
    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }
}
