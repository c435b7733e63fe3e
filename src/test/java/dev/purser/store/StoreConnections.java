package dev.purser.store;

import java.sql.Connection;

/** Access for tests outside this package: store connections on JDBC connections that the tests open, and counts. */
public final class StoreConnections {
    private StoreConnections() {}

    public static StoreConnection over(Connection connection) {
        return new StoreConnection(connection, MacKey.drawn());
    }

    /** The number of transactions with works that a database has committed. */
    public static long commits(Database database) {
        return database.commits();
    }
}
