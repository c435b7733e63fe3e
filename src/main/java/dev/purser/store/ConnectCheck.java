package dev.purser.store;

import java.sql.SQLException;

/** Checks the database on a new connection before anything is written. */
@FunctionalInterface
public interface ConnectCheck {
    /**
     * Runs in a transaction of its own. The {@link CommitWitness} receives the heads that the check notes.
     *
     * @throws StartupRefusal if this database must not be written
     */
    void connected(StoreConnection connection) throws SQLException;
}
