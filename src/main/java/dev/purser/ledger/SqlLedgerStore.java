package dev.purser.ledger;

import dev.purser.store.Database;
import org.jspecify.annotations.Nullable;

/** Keeps the books in the service's database. */
final class SqlLedgerStore implements LedgerStore {
    private final Database database;

    SqlLedgerStore(Database database) {
        this.database = database;
    }

    @Override
    public <T extends @Nullable Object> T change(String account, Work<T> work) {
        return database.write(account, connection -> work.run(new SqlBooks(connection)));
    }

    @Override
    public <T extends @Nullable Object> T look(Work<T> work) {
        return database.read(connection -> work.run(new SqlBooks(connection)));
    }

    @Override
    public <T extends @Nullable Object> T lookOnce(Work<T> work) {
        return database.readOne(connection -> work.run(new SqlBooks(connection)));
    }
}
