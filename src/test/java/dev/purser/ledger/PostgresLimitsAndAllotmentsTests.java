package dev.purser.ledger;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresLimitsAndAllotmentsTests extends LimitsAndAllotmentsContract {
    @Override
    protected LedgerSettings settings() {
        return PostgresServer.shared().newDatabase();
    }
}
