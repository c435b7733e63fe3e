package dev.purser.store;

import java.sql.Connection;

/** Sessions on connections that tests open themselves. */
public final class Sessions {
    private Sessions() {}

    public static Session over(Connection connection) {
        return new Session(connection);
    }
}
