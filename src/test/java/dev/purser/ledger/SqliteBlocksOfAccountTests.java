package dev.purser.ledger;

import dev.purser.store.LedgerSettings;

class SqliteBlocksOfAccountTests extends BlocksOfAccountContract {
    @Override
    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }
}
