package dev.purser.tables;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Stream;
import org.postgresql.PGConnection;

/** A separate database with a schema {@code census}, an owner who fills it and a role that may only read it. */
public final class PostgresWarehouse {
    private final PostgresServer server;
    private final LedgerSettings owner;

    private PostgresWarehouse(PostgresServer server) {
        this.server = server;
        owner = server.emptyDatabase();
        server.execute("CREATE ROLE " + reader() + " LOGIN PASSWORD 'reads'");
        execute("CREATE SCHEMA census");
        execute("GRANT USAGE ON SCHEMA census TO " + reader());
        execute("ALTER DEFAULT PRIVILEGES IN SCHEMA census GRANT SELECT ON TABLES TO " + reader());
    }

    /** Creates a database on the server that the tests of this JVM share. */
    public static PostgresWarehouse create() {
        return new PostgresWarehouse(PostgresServer.shared());
    }

    /** The role that may only read. */
    public String reader() {
        return owner.user() + "_reader";
    }

    public String database() {
        return owner.user();
    }

    public PostgresServer server() {
        return server;
    }

    /** A connection as the owner. */
    public Connection owner() throws SQLException {
        return DriverManager.getConnection(owner.url(), owner.user(), owner.password());
    }

    /** Runs a statement as the owner. */
    public void execute(String sql) {
        execute(sql, owner.user(), owner.password());
    }

    /** Runs a statement as the superuser. */
    void executeAsSuperuser(String sql) {
        execute(sql, "postgres", "");
    }

    private void execute(String sql, String user, String password) {
        try (Connection connection = DriverManager.getConnection(owner.url(), user, password);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    /** The reader's connection, as it is configured. */
    public ConnectionSettings settings() {
        return settings(reader(), "reads");
    }

    public ConnectionSettings settings(String user, String password) {
        return new ConnectionSettings(
                ConnectionSettings.Type.POSTGRESQL,
                "127.0.0.1",
                port(),
                database(),
                user,
                password,
                ConnectionSettings.Tls.OFF,
                4);
    }

    public int port() {
        return Integer.parseInt(owner.url().replaceAll(".*:([0-9]+)/.*", "$1"));
    }

    /** The connection {@code warehouse} alone. */
    public TableConnections connections() {
        return new TableConnections(Map.of("warehouse", settings()));
    }

    /** Fills a table from lines of tab-separated values. */
    public static void copy(Connection owner, String table, Stream<String> lines) throws SQLException, IOException {
        owner.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY " + table + " FROM STDIN", stream(lines.iterator()));
    }

    private static InputStream stream(Iterator<String> lines) {
        return new SequenceInputStream(new Enumeration<>() {
            @Override
            public boolean hasMoreElements() {
                return lines.hasNext();
            }

            @Override
            public InputStream nextElement() {
                StringBuilder block = new StringBuilder();
                for (int i = 0; i < 10_000 && lines.hasNext(); i++) {
                    block.append(lines.next()).append('\n');
                }
                return new ByteArrayInputStream(block.toString().getBytes(StandardCharsets.UTF_8));
            }
        });
    }
}
