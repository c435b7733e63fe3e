package dev.purser.ledger;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;

class PostgresAttachmentsTests extends AttachmentsContract {
    private final LedgerSettings database = PostgresServer.shared().newDatabase();

    @Override
    LedgerSettings settings() {
        return database;
    }
}
