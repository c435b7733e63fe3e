package dev.purser.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.postgresql.Driver;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/**
 * How this service opens PostgreSQL and classifies its errors.
 *
 * <p>Transactions are READ COMMITTED. Row locks, taken before the row is read, and the tables' own constraints protect
 * the books. The service does not rely on serializable isolation.
 */
final class Postgres implements Storage {
    private static final int OLDEST = 150_000;
    private static final Pattern URL =
            Pattern.compile("jdbc:postgresql://(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::[0-9]{1,5})?/[A-Za-z0-9._-]+"
                    + "(?:\\?sslmode=verify-full&sslrootcert=/[A-Za-z0-9._/-]+)?");
    private static final Set<String> WAITS_FOR_ITS_FLUSH = Set.of("on", "remote_apply");

    private static final int CONNECT_SECONDS = 5;
    /** Exceeds the writer's statement timeout. It ends the wait for a lost server or a lost standby. */
    private static final int SOCKET_SECONDS = 15;
    /**
     * If an instance stops inside a transaction, the transaction and its locks end before the last attempt of another
     * instance.
     */
    private static final String WRITER_LIMITS =
            "-c lock_timeout=4s -c statement_timeout=10s -c idle_in_transaction_session_timeout=8s";

    private static final String READER_LIMITS = "-c statement_timeout=60s -c idle_in_transaction_session_timeout=60s";

    private static final String SETTINGS = "SELECT current_setting('server_version_num')::int AS version,"
            + " current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,"
            + " current_setting('synchronous_commit') AS synchronous_commit,"
            + " current_setting('synchronous_standby_names') AS synchronous_standby_names,"
            + " current_setting('server_encoding') AS server_encoding,"
            + " current_setting('default_transaction_read_only') AS default_transaction_read_only,"
            + " pg_is_in_recovery() AS standby";

    private final LedgerSettings settings;

    /** The application name by which a new connection finds the lost connections of this instance. */
    private final String writerName = "purser-writer-" + UUID.randomUUID();

    /** @throws StartupRefusal if the URL does not have the one accepted form */
    Postgres(LedgerSettings settings) {
        if (!URL.matcher(settings.url()).matches()) {
            throw new StartupRefusal(
                    "PURSER_LEDGER_URL is not of the form jdbc:postgresql://host:port/database, with nothing after it"
                            + " but ?sslmode=verify-full&sslrootcert=/a/file.pem, to check the server's certificate.",
                    "Correct it; user and password are given by PURSER_LEDGER_USER and PURSER_LEDGER_PASSWORD.");
        }
        this.settings = settings;
    }

    @Override
    public String name() {
        return settings.url();
    }

    @Override
    public boolean hasLedger() throws SQLException {
        try (Connection connection =
                        source("purser-check", READER_LIMITS, SOCKET_SECONDS).getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT to_regclass('account') IS NOT NULL")) {
            return row.next() && row.getBoolean(1);
        }
    }

    @Override
    public Connection openWriter() throws SQLException {
        Connection connection =
                source(writerName, WRITER_LIMITS, SOCKET_SECONDS).getConnection();
        try (Statement statement = connection.createStatement()) {
            requireStillDurable(connection);
            endLostPredecessors(statement);
        } catch (SQLException | StartupRefusal refusal) {
            connection.close();
            throw refusal;
        }
        return connection;
    }

    /**
     * Ends lost connections that still run on the server. They may hold locks, or wait with a commit whose outcome is
     * open. Once these connections are gone, the outcome is final and can be read.
     */
    private void endLostPredecessors(Statement statement) throws SQLException {
        statement.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = '"
                + writerName + "' AND usename = current_user AND pid <> pg_backend_pid()");
    }

    @Override
    public void requireStillDurable(Connection writer) throws SQLException {
        try (Statement statement = writer.createStatement();
                ResultSet row = statement.executeQuery(SETTINGS)) {
            row.next();
            require(row.getInt("version") >= OLDEST, "server_version_num", row.getString("version"));
            require(!row.getBoolean("standby"), "pg_is_in_recovery()", "true");
            require(row, "fsync", Set.of("on"));
            require(row, "full_page_writes", Set.of("on"));
            require(row, "synchronous_commit", WAITS_FOR_ITS_FLUSH);
            require(row, "default_transaction_read_only", Set.of("off"));
            require(row, "server_encoding", Set.of("UTF8"));
            String standbys = row.getString("synchronous_standby_names");
            require(
                    !settings.synchronousStandby() || !standbys.isBlank(),
                    "synchronous_standby_names",
                    "'" + standbys + "'");
        }
    }

    private static void require(ResultSet row, String setting, Set<String> allowed) throws SQLException {
        require(allowed.contains(row.getString(setting)), setting, row.getString(setting));
    }

    private static void require(boolean holds, String setting, String value) {
        if (!holds) {
            throw new StartupRefusal(
                    "The ledger would not be safe in this PostgreSQL: " + setting + " is " + value + ".",
                    "Use the primary server of a PostgreSQL 15 or later, its database in UTF8, with fsync=on,"
                            + " full_page_writes=on and synchronous_commit=on or remote_apply; with"
                            + " PURSER_LEDGER_SYNCHRONOUS_STANDBY=true also name a standby in"
                            + " synchronous_standby_names.");
        }
    }

    @Override
    public void prepare(Connection writer) {
        // Flyway searches a URL for passwords. The URL of a PGSimpleDataSource has 1,500 characters, and the search
        // takes 0.3 s.
        Migrations.run(
                new SimpleDriverDataSource(new Driver(), settings.url(), settings.user(), settings.password()),
                "postgresql");
    }

    @Override
    public Readers openReaders(MacKey key) {
        return new PostgresReaders(source("purser-reader", READER_LIMITS, 2 * SOCKET_SECONDS), this, key);
    }

    /**
     * Each transaction writes a record of its own to the write-ahead log. Its commit then waits for the disk and the
     * standby even if the work only reads. The work may have read changes of a transaction that did not wait.
     */
    @Override
    public String begin() {
        return "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_logical_emit_message(true, 'purser', '')";
    }

    /** Does nothing: {@link #begin} has written a record. */
    @Override
    public void touch(StoreConnection writer) {}

    /** Classifies by SQLSTATE. */
    @Override
    public FailureScope scopeOf(Throwable failure) {
        String state = failure instanceof SQLException sql ? sql.getSQLState() : null;
        return state == null ? FailureScope.WORK : scopeOf(state);
    }

    private static FailureScope scopeOf(String state) {
        if (isLost(state)) {
            return FailureScope.CONNECTION;
        }
        return switch (state) {
            case "40001", "40P01", "55P03" -> FailureScope.AGAIN; // serialization, deadlock, lock timeout
            case "57014" -> FailureScope.TRANSACTION; // canceled, by statement_timeout for one
            default ->
                // The server ran out of disk, memory or another resource, or its file system failed.
                state.startsWith("53") || state.startsWith("58") ? FailureScope.TRANSACTION : FailureScope.WORK;
        };
    }

    /** Connection failures, shutdowns, and sessions that the server ended. */
    private static boolean isLost(String state) {
        return state.startsWith("08")
                || state.startsWith("57P")
                || Set.of("25P03", "25P04").contains(state);
    }

    /** Only a transaction that lost against another transaction is known to have changed nothing. */
    @Override
    public FailureScope scopeOfCommit(Throwable failure) {
        return scopeOf(failure) == FailureScope.AGAIN ? FailureScope.AGAIN : FailureScope.CONNECTION;
    }

    private PGSimpleDataSource source(String name, String options, int socketSeconds) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(settings.url());
        source.setUser(settings.user());
        source.setPassword(settings.password());
        source.setApplicationName(name);
        source.setOptions(options);
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setSocketTimeout(socketSeconds);
        source.setTcpKeepAlive(true);
        return source;
    }
}
