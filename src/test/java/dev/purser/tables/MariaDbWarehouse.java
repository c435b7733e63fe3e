package dev.purser.tables;

import dev.purser.Leftovers;
import dev.purser.store.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/**
 * A real MariaDB from the system's package (Debian: {@code mariadb-server}), in a temporary folder on a free port of
 * the loopback interface. It has a database {@code census}, an owner who fills it and a role that can only read it. If
 * root runs the tests, the server runs as the user nobody.
 */
public final class MariaDbWarehouse implements AutoCloseable {
    private static final String NOBODY = "65534";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final int port;
    private final Process server;

    private MariaDbWarehouse(Path folder, int port, Process server) {
        this.folder = folder;
        this.port = port;
        this.server = server;
    }

    /** Starts a server for the caller alone. The caller closes it. */
    public static MariaDbWarehouse start() {
        try {
            Path folder = Leftovers.newFolder("mariadb");
            if (isRoot()) {
                await(start(folder, List.of("chown", NOBODY + ":" + NOBODY, folder.toString())));
            }
            await(start(
                    folder,
                    asNobody(
                            "mariadb-install-db",
                            "--no-defaults",
                            "--datadir=" + folder.resolve("data"),
                            "--auth-root-authentication-method=normal",
                            "--skip-test-db")));
            int port = PostgresServer.freePort();
            Process server = Leftovers.watched(start(
                    folder,
                    asNobody(
                            "mariadbd",
                            "--no-defaults",
                            "--datadir=" + folder.resolve("data"),
                            "--tmpdir=" + folder,
                            "--socket=" + folder.resolve("socket"),
                            "--bind-address=127.0.0.1",
                            "--port=" + port,
                            "--character-set-server=utf8mb4",
                            "--innodb-flush-log-at-trx-commit=0")));
            MariaDbWarehouse warehouse = new MariaDbWarehouse(folder, port, server);
            warehouse.awaitConnections();
            warehouse.execute("CREATE DATABASE census");
            warehouse.execute("CREATE USER owner IDENTIFIED BY 'owns'");
            warehouse.execute("GRANT ALL ON census.* TO owner");
            warehouse.execute("CREATE USER reader IDENTIFIED BY 'reads'");
            warehouse.execute("GRANT SELECT ON census.* TO reader");
            return warehouse;
        } catch (IOException failure) {
            throw new AssertionError("MariaDB cannot be started for the tests: " + failure.getMessage(), failure);
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static List<String> asNobody(String... command) {
        List<String> whole = new ArrayList<>();
        if (isRoot()) {
            whole.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        whole.addAll(List.of(command));
        return whole;
    }

    private static Process start(Path folder, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // Debian has the server's program there.
        builder.environment().merge("PATH", "/usr/sbin", (path, more) -> path + ":" + more);
        return builder.redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolveSibling(folder.getFileName() + ".log").toFile()))
                .start();
    }

    private static void await(Process process) throws IOException {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(process.info().commandLine().orElse("a program of it") + " failed");
            }
        } catch (InterruptedException failure) {
            throw new IOException(failure);
        }
    }

    private void awaitConnections() throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end && server.isAlive()) {
            try (Connection connection = connect("root", "", "")) {
                return;
            } catch (SQLException notYet) {
                Thread.onSpinWait();
            }
        }
        throw new IOException("no connection to the server");
    }

    private Connection connect(String user, String password, String database) throws SQLException {
        return DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/" + database, user, password);
    }

    /** A connection as the owner, in UTC, which accepts any day of a month as a date. */
    public Connection owner() throws SQLException {
        Connection connection = connect("owner", "owns", "census");
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET time_zone = '+00:00', sql_mode = 'ALLOW_INVALID_DATES'");
        }
        return connection;
    }

    /** Runs a statement as the superuser. */
    public void execute(String sql) {
        try (Connection connection = connect("root", "", "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    /** The connection {@code warehouse} alone, as the role that may only read. */
    public TableConnections connections() {
        return connections("reader", "reads");
    }

    public TableConnections connections(String user, String password) {
        ConnectionSettings settings = new ConnectionSettings(
                ConnectionSettings.Type.MARIADB,
                "127.0.0.1",
                port,
                "census",
                user,
                password,
                ConnectionSettings.Tls.OFF,
                4);
        return new TableConnections(Map.of("warehouse", settings));
    }

    @Override
    public void close() {
        try {
            server.destroy();
            await(server);
            FileSystemUtils.deleteRecursively(folder);
            Files.delete(folder.resolveSibling(folder.getFileName() + ".log"));
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }
}
