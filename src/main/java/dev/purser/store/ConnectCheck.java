package dev.purser.store;

import java.sql.SQLException;

/** Looks at the database before anything is written over a new connection. */
@FunctionalInterface
public interface ConnectCheck {
    /**
     * Runs in a transaction of its own. Heads it notes go to the {@link CommitWitness}.
     *
     * @throws StartupRefusal if this database must not be written
     */
    void connected(StoreConnection connection) throws SQLException;
}
