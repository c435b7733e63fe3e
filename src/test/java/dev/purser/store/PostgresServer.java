package dev.purser.store;

import dev.purser.Leftovers;
import dev.purser.digest.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real PostgreSQL with {@code fsync=on}, in a temporary folder on a free port of the loopback. Its programs come from
 * the class path, or with {@code -Dtests.postgres=system} from {@code /usr/lib/postgresql}. PostgreSQL refuses to run
 * as root, so root runs it as the user nobody.
 */
public final class PostgresServer implements AutoCloseable {
    private static final String SUPERUSER = "postgres";
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    private static final String NOBODY = "65534";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final String TEMPLATE = "migrated";

    private final Path programs;
    private final Path folder;
    private final int port;
    private @Nullable Process postmaster;
    private boolean hasTemplate;

    private PostgresServer(Path programs, Path folder, int port) {
        this.programs = programs;
        this.folder = folder;
        this.port = port;
    }

    /** The one server of this JVM that tests share. Such tests do not stop it or change its settings. */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    private static final class Shared {
        private static final PostgresServer SERVER = startOwn();

        static {
            // The hook waits for the server's end, so that the server's processor time counts as time of the tests.
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }

    /** Starts a server of the caller's own. The caller closes it. */
    public static PostgresServer startOwn(String... settings) {
        return startOwn(Programs.FOLDER, settings);
    }

    /** Whether {@link #startInstalled} can start a server. */
    public static boolean hasTools() throws IOException {
        return Files.isDirectory(INSTALLED) && Files.exists(Programs.installed().resolve("bin/pg_dump"));
    }

    /** Starts a server of the caller's own, of an installed version. */
    public static PostgresServer startInstalled() throws IOException {
        return startOwn(Programs.installed());
    }

    /** The environment in which the programs of this server use one of its databases. */
    public Map<String, String> tools(LedgerSettings database) {
        return Map.of(
                "PATH", programs.resolve("bin") + ":" + System.getenv("PATH"),
                "PGHOST", "127.0.0.1",
                "PGPORT", String.valueOf(port),
                "PGUSER", database.user(),
                "PGPASSWORD", database.password());
    }

    private static PostgresServer startOwn(Path programs, String... settings) {
        try {
            PostgresServer server = new PostgresServer(programs, newFolder(), freePort());
            server.run(
                    server.program("initdb"),
                    "-D",
                    server.data(),
                    "-U",
                    SUPERUSER,
                    "-A",
                    "trust",
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "--no-sync");
            server.configure(
                    "listen_addresses = '127.0.0.1'",
                    "port = " + server.port,
                    "unix_socket_directories = '" + server.folder + "'",
                    "fsync = on",
                    "max_connections = 60",
                    "shared_buffers = 32MB",
                    "max_wal_size = 256MB",
                    "log_min_messages = fatal");
            server.configure(settings);
            server.start();
            return server;
        } catch (IOException failure) {
            throw new AssertionError("PostgreSQL cannot be started for the tests: " + failure.getMessage(), failure);
        }
    }

    /** Appends to {@code postgresql.conf}; the last line about a setting counts. */
    public void configure(String... lines) throws IOException {
        Files.write(folder.resolve("data/postgresql.conf"), List.of(lines), StandardOpenOption.APPEND);
    }

    /** Starts again with a certificate. From then on, every client that asks for TLS gets TLS. */
    public void startAgainWith(TestCertificate certificate) throws IOException {
        stop();
        certificate.writeTo(Path.of(data()));
        Files.setPosixFilePermissions(
                Path.of(data(), TestCertificate.KEY), PosixFilePermissions.fromString("rw-------"));
        own(folder);
        configure(
                "ssl = on",
                "ssl_cert_file = '" + TestCertificate.CHAIN + "'",
                "ssl_key_file = '" + TestCertificate.KEY + "'");
        start();
    }

    /** Starts, or starts again, and returns once connections are taken. */
    public void start() throws IOException {
        List<String> command = asNobody(List.of(program("postgres"), "-D", data()));
        Process started = Leftovers.watched(new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start());
        postmaster = started;
        awaitConnections(started);
    }

    private void awaitConnections(Process started) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end && started.isAlive()) {
            try (Connection connection = superuser()) {
                return;
            } catch (SQLException notYet) {
                pause(50);
            }
        }
        throw new IOException("no connection to the server; its log says:\n" + Files.readString(folder.resolve("log")));
    }

    /** Stops as a power failure would: no checkpoint, no message to clients. Every process of the server ends. */
    public void stopImmediately() {
        signal("QUIT");
    }

    /** Ends sessions, writes a checkpoint and stops. */
    public void stop() {
        signal("INT");
    }

    /** Sends a signal to this server's own postmaster alone, which ends its children. */
    private void signal(String name) {
        try {
            Process own = Objects.requireNonNull(postmaster);
            // As root, setpriv became the server, so this process is the postmaster.
            new ProcessBuilder("kill", "-" + name, Long.toString(own.pid()))
                    .start()
                    .waitFor();
            assertThat(own.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("PostgreSQL stops")
                    .isTrue();
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    /**
     * Creates a standby of this server, which stops for the copy and runs again on return. From then on every commit
     * here waits for the standby.
     */
    public PostgresServer standby() throws IOException {
        stop();
        PostgresServer standby = new PostgresServer(programs, newFolder(), freePort());
        run("cp", "-a", folder.resolve("data").toString(), standby.folder.toString());
        Files.createFile(standby.folder.resolve("data/standby.signal"));
        standby.configure(
                "port = " + standby.port,
                "unix_socket_directories = '" + standby.folder + "'",
                "primary_conninfo = 'host=127.0.0.1 port=" + port + " user=" + SUPERUSER + " application_name=standby'",
                "synchronous_standby_names = ''");
        own(standby.folder);
        configure("synchronous_standby_names = 'standby'");
        start();
        standby.start();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!"t".equals(ask("SELECT bool_or(sync_state = 'sync') FROM pg_stat_replication"))
                && System.nanoTime() < end) {
            pause(50);
        }
        return standby;
    }

    /** Cuts a standby off: from then on it receives nothing that its primary commits. */
    public void leavePrimary() {
        execute("ALTER SYSTEM SET primary_conninfo = ''");
        assertThat(ask("SELECT pg_reload_conf()")).isEqualTo("t");
    }

    /** Makes a standby the primary. */
    public void promote() {
        assertThat(ask("SELECT pg_promote()")).isEqualTo("t");
        // Copies of this server then follow it, not the server that it followed itself.
        execute("ALTER SYSTEM RESET primary_conninfo");
    }

    /** One value, asked as the superuser. */
    public String ask(String sql) {
        try (Connection connection = superuser();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            return row.next() ? String.valueOf(row.getString(1)) : "";
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    public void execute(String sql) {
        execute("postgres", sql);
    }

    private void execute(String database, String sql) {
        try (Connection connection = superuser(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    /** A new database with the tables of a ledger, owned by a role that is no superuser. */
    public synchronized LedgerSettings newDatabase() {
        if (!hasTemplate) {
            LedgerSettings made = createDatabase(TEMPLATE, "template1");
            Migrations.run(source(made), "postgresql");
            hasTemplate = true;
        }
        LedgerSettings copy = createDatabase(nextName(), TEMPLATE);
        execute(copy.user(), "REASSIGN OWNED BY " + TEMPLATE + " TO " + copy.user());
        return copy;
    }

    /** Connections to a database as its owner. */
    static DataSource source(LedgerSettings database) {
        return new SimpleDriverDataSource(new Driver(), database.url(), database.user(), database.password());
    }

    /** A new database as {@link #newDatabase} makes it, but without any table. */
    public LedgerSettings emptyDatabase() {
        return createDatabase(nextName(), "template1");
    }

    private static String nextName() {
        return "ledger" + DATABASES.incrementAndGet();
    }

    private LedgerSettings createDatabase(String name, String template) {
        execute("CREATE ROLE " + name + " LOGIN PASSWORD 'secret'");
        execute("CREATE DATABASE " + name + " OWNER " + name + " TEMPLATE " + template);
        return settings(name);
    }

    /** A key that all homes on this database share. */
    private static String journalKey(String name) {
        return Base64.getEncoder().encodeToString(Sha256.of(name.getBytes(StandardCharsets.UTF_8)));
    }

    /** How to reach the database of this name on this server. */
    public LedgerSettings settings(String name) {
        return new LedgerSettings(
                "jdbc:postgresql://127.0.0.1:" + port + "/" + name,
                name,
                "secret",
                new Secret(journalKey(name)),
                false);
    }

    public Connection superuser() throws SQLException {
        return superuser("postgres");
    }

    private Connection superuser(String database) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/" + database, SUPERUSER, "");
    }

    @Override
    public void close() {
        if (postmaster != null && postmaster.isAlive()) {
            stopImmediately();
        }
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    private static Path newFolder() throws IOException {
        Path folder = Leftovers.newFolder("postgres");
        own(folder);
        return folder;
    }

    private static void own(Path folder) throws IOException {
        if (isRoot()) {
            runPlainly(List.of("chown", "-R", NOBODY + ":" + NOBODY, folder.toString()), folder);
        }
    }

    /** A port of this machine that nothing listens on. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static List<String> asNobody(List<String> command) {
        List<String> whole = new ArrayList<>();
        if (isRoot()) {
            whole.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        }
        whole.addAll(command);
        return whole;
    }

    private void run(String... command) throws IOException {
        runPlainly(asNobody(List.of(command)), folder);
    }

    private static void runPlainly(List<String> command, Path folder) throws IOException {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + " failed: " + output);
            }
        } catch (InterruptedException failure) {
            throw new IOException(failure);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    private String program(String name) {
        return programs.resolve("bin").resolve(name).toString();
    }

    /** The programs, unpacked once per JVM. */
    private static final class Programs {
        private static final Path FOLDER = find();

        private static Path find() {
            try {
                return "system".equals(System.getProperty("tests.postgres")) ? installed() : unpacked();
            } catch (IOException failure) {
                throw new AssertionError(
                        "The tests need the programs tar and xz (Debian: xz-utils) to unpack PostgreSQL: "
                                + failure.getMessage(),
                        failure);
            }
        }

        private static Path installed() throws IOException {
            try (Stream<Path> versions = Files.list(INSTALLED)) {
                return versions.max(Comparator.comparing(version ->
                                Integer.parseInt(version.getFileName().toString())))
                        .orElseThrow();
            }
        }

        private static Path unpacked() throws IOException {
            Path folder = newFolder();
            Path archive = folder.resolve("postgres.txz");
            try (InputStream packed = PostgresServer.class.getResourceAsStream("/postgres-linux-x86_64.txz")) {
                Files.copy(packed, archive, StandardCopyOption.REPLACE_EXISTING);
            }
            runPlainly(List.of("tar", "-xJf", archive.toString(), "-C", folder.toString()), folder);
            Files.delete(archive);
            // The first home of this JVM sets the umask, so what tar wrote may be root's alone.
            own(folder);
            return folder;
        }
    }
}
