package dev.purser.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

class PostgresDatabaseTests extends DatabaseContract {
    private final LedgerSettings settings = PostgresServer.shared().newDatabase();

    @Override
    Database open() {
        return new Database(new PurserHome(folder), settings);
    }

    @Override
    void forgetTheNewerRelease() throws SQLException {
        try (Connection connection = DriverManager.getConnection(settings.url(), settings.user(), settings.password());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM flyway_schema_history WHERE version = '99'");
        }
    }
}
