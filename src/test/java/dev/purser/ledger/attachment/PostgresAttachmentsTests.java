package dev.purser.ledger.attachment;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresAttachmentsTests extends AttachmentsContract {
    private final LedgerSettings database = PostgresServer.shared().newDatabase();

    @Override
    protected LedgerSettings settings() {
        return database;
    }
}
