package dev.purser.ledger;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresRefinementsTests extends RefinementsContract {
    private final LedgerSettings database = PostgresServer.shared().newDatabase();

    @Override
    protected LedgerSettings settings() {
        return database;
    }
}
