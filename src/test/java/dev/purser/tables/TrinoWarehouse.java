package dev.purser.tables;

import dev.purser.Leftovers;
import dev.purser.store.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/**
 * A real Trino on a free port of the loopback, unpacked from the archive that {@code -Dtests.trino} names, with
 * one catalog {@code warehouse}: a PostgreSQL of the tests. Its access control lets {@code reader} read and
 * {@code writer} do everything.
 */
public final class TrinoWarehouse implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Path folder;
    private final int port;
    private final Process server;

    private TrinoWarehouse(Path folder, int port, Process server) {
        this.folder = folder;
        this.port = port;
        this.server = server;
    }

    /** Starts a server for the caller alone. The caller closes it. */
    public static TrinoWarehouse start(PostgresWarehouse tables) {
        try {
            Path folder = Leftovers.newFolder("trino");
            int port = PostgresServer.freePort();
            Path unpacked = unpack(folder);
            configure(folder, unpacked, port, tables);
            Process server = Leftovers.watched(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx1G",
                            "--add-modules=jdk.incubator.vector",
                            "--enable-native-access=ALL-UNNAMED",
                            "--sun-misc-unsafe-memory-access=allow",
                            "-Dconfig=" + folder.resolve("config.properties"),
                            "-cp",
                            unpacked.resolve("lib") + "/*",
                            "io.trino.server.TrinoServer")
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start());
            TrinoWarehouse warehouse = new TrinoWarehouse(folder, port, server);
            warehouse.awaitConnections();
            return warehouse;
        } catch (IOException failure) {
            throw new AssertionError("Trino cannot be started for the tests: " + failure.getMessage(), failure);
        }
    }

    /** Unpacks all files of the archive, because they are links to each other. */
    private static Path unpack(Path folder) throws IOException {
        String archive = System.getProperty("tests.trino", "");
        Process tar = new ProcessBuilder("tar", "-xzf", archive, "-C", folder.toString())
                .inheritIO()
                .start();
        await(tar);
        try (Stream<Path> files = Files.list(folder)) {
            return files.findFirst().orElseThrow();
        }
    }

    private static void configure(Path folder, Path unpacked, int port, PostgresWarehouse tables) throws IOException {
        Path plugins = Files.createDirectory(folder.resolve("plugins"));
        // The types of geospatial are part of the language, whether they are used or not.
        for (String plugin : List.of("postgresql", "geospatial")) {
            Files.createSymbolicLink(
                    plugins.resolve(plugin), unpacked.resolve("plugin").resolve(plugin));
        }
        Path catalogs = Files.createDirectory(folder.resolve("catalogs"));
        write(
                catalogs.resolve("warehouse.properties"),
                "connector.name=postgresql",
                "connection-url=jdbc:postgresql://127.0.0.1:" + tables.port() + "/" + tables.database(),
                "connection-user=" + tables.reader(),
                "connection-password=reads");
        write(folder.resolve("rules.json"), """
                        {"catalogs": [{"user": "reader", "allow": "read-only"}, {"allow": "all"}]}""");
        write(
                folder.resolve("access-control.properties"),
                "access-control.name=file",
                "security.config-file=" + folder.resolve("rules.json"));
        write(
                folder.resolve("config.properties"),
                "node.environment=test",
                "node.id=one",
                "node.bind-ip=127.0.0.1",
                "node.internal-address=127.0.0.1",
                "coordinator=true",
                "node-scheduler.include-coordinator=true",
                "http-server.http.port=" + port,
                "discovery.uri=http://127.0.0.1:" + port,
                "plugin.dir=" + plugins,
                "catalog.config-dir=" + catalogs,
                "access-control.config-files=" + folder.resolve("access-control.properties"));
    }

    private static void write(Path file, String... lines) throws IOException {
        Files.write(file, List.of(lines));
    }

    private void awaitConnections() throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end && server.isAlive()) {
            // Trino opens sessions before a node can read rows: trinodb/trino#2214.
            try (TableSession session = connections("reader")
                            .find("warehouse")
                            .orElseThrow()
                            .open(Duration.ofSeconds(30));
                    Statement statement = session.connection().createStatement();
                    ResultSet rows = statement.executeQuery("SELECT count(*) FROM (VALUES 1) AS one (x)")) {
                if (rows.next()) {
                    return;
                }
            } catch (SQLException notYet) {
                pause();
            }
        }
        throw new IOException("no connection to the server; its log says:\n" + Files.readString(folder.resolve("log")));
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(200);
        } catch (InterruptedException failure) {
            throw new IOException(failure);
        }
    }

    private static void await(Process process) throws IOException {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException("a program did not end");
            }
        } catch (InterruptedException failure) {
            throw new IOException(failure);
        }
    }

    /** The connection {@code warehouse} alone, as this user. */
    public TableConnections connections(String user) {
        ConnectionSettings settings = new ConnectionSettings(
                ConnectionSettings.Type.TRINO, "127.0.0.1", port, "warehouse", user, "", ConnectionSettings.Tls.OFF, 4);
        return new TableConnections(Map.of("warehouse", settings));
    }

    @Override
    public void close() {
        try {
            server.destroy();
            await(server);
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
