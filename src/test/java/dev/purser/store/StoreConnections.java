package dev.purser.store;

import java.sql.Connection;

/**
 * Access for tests outside this package: store connections on JDBC connections that they open themselves, and counts.
 */
public final class StoreConnections {
    private StoreConnections() {}

    public static StoreConnection over(Connection connection) {
        return new StoreConnection(connection, MacKey.drawn());
    }

    /** How many transactions with works in them a database has committed. */
    public static long commits(Database database) {
        return database.commits();
    }
}
