package dev.purser.collection;

import dev.purser.store.LedgerSettings;

class SqlitePiecesTests extends PiecesContract {
    @Override
    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }
}
