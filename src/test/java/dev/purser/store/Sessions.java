package dev.purser.store;

import java.sql.Connection;

/** What tests outside this package look at: sessions on connections to SQLite that they open themselves, and counts. */
public final class Sessions {
    private Sessions() {}

    public static Session over(Connection connection) {
        return new Session(connection, false);
    }

    /** How many transactions with works in them a database has committed. */
    public static long commits(Database database) {
        return database.commits();
    }
}
