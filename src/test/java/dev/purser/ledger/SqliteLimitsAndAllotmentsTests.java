package dev.purser.ledger;

import dev.purser.store.LedgerSettings;

class SqliteLimitsAndAllotmentsTests extends LimitsAndAllotmentsContract {
    @Override
    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }
}
