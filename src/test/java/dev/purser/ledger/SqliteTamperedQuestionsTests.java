package dev.purser.ledger;

import dev.purser.store.LedgerSettings;

class SqliteTamperedQuestionsTests extends TamperedQuestionsContract {
    @Override
    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }
}
