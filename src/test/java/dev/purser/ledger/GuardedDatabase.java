package dev.purser.ledger;

import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.sql.SQLException;

/** The database of a home as the service opens it: its ledger is verified, and its commits are anchored. */
public final class GuardedDatabase {
    private GuardedDatabase() {}

    public static Database open(Path folder) throws SQLException {
        PurserHome home = new PurserHome(folder);
        Database database = new Database(home);
        try {
            LedgerGuard.open(
                    database, Anchor.read(home, SigningKeys.of(home, "").newest()), false);
        } catch (RuntimeException refusal) {
            database.close();
            throw refusal;
        }
        return database;
    }
}
