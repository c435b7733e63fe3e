package dev.purser.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteException;

/** How this service opens SQLite and classifies its errors. */
class Sqlite implements Storage {
    private static final int BUSY_TIMEOUT_MILLIS = 5_000;
    private static final int SYNCHRONOUS_FULL = 2;

    private final Path file;

    /**
     * The identities of the file and of its log at the first commit. Empty before it, because the log may not exist.
     */
    private List<@Nullable Object> opened = List.of();

    Sqlite(Path file) {
        this.file = file;
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public boolean hasLedger() {
        return Files.exists(file);
    }

    @Override
    public Connection openWriter() throws SQLException {
        createPrivately();
        loadLibrary(file.resolveSibling("native"));
        Connection connection = durable().createConnection(url());
        try (Statement statement = connection.createStatement()) {
            // On macOS a plain fsync leaves the bytes in the drive's cache. Elsewhere these settings change nothing.
            statement.execute("PRAGMA fullfsync = on");
            statement.execute("PRAGMA checkpoint_fullfsync = on");
            requireDurable(connection);
        } catch (SQLException | StartupRefusal refusal) {
            connection.close();
            throw refusal;
        }
        return connection;
    }

    /** SQLite gives its write-ahead log and shared-memory file the permissions of the database. */
    private void createPrivately() throws SQLException {
        try {
            PurserHome.createPrivately(file);
        } catch (IOException failure) {
            throw new SQLException("the database cannot be created", failure);
        }
    }

    /** @param folder a folder for the library while it is loaded */
    static void loadLibrary(Path folder) throws SQLException {
        try {
            SqliteLibrary.load(folder);
        } catch (IOException failure) {
            throw new SQLException(failure.getMessage(), failure);
        }
    }

    /**
     * No other process can change the settings of this connection. If the file was removed or replaced, however,
     * everything that is written is lost when the connection closes.
     */
    @Override
    public void requireStillDurable(Connection writer) throws SQLException {
        List<@Nullable Object> present = present();
        if (opened.isEmpty()) {
            opened = present;
        } else if (!opened.equals(present)) {
            throw new SQLException(file + " or its write-ahead log was replaced while it was open");
        }
    }

    private List<@Nullable Object> present() throws SQLException {
        List<@Nullable Object> keys = new ArrayList<>();
        try {
            for (Path each : List.of(file, file.resolveSibling(file.getFileName() + "-wal"))) {
                keys.add(Files.readAttributes(each, BasicFileAttributes.class).fileKey());
            }
        } catch (IOException gone) {
            throw new SQLException("a file of the ledger cannot be found: " + gone.getMessage(), gone);
        }
        return keys;
    }

    @Override
    public void prepare(Connection writer) throws SQLException, IOException {
        settle(writer);
        SQLiteDataSource source = new SQLiteDataSource(durable());
        source.setUrl(url());
        Migrations.run(source, "sqlite");
        PurserHome.syncDirectory(PurserHome.parentOf(file));
    }

    @Override
    public Readers openReaders(MacKey key) throws SQLException {
        return new SqliteReaders(this, key);
    }

    @Override
    public String begin() {
        return "BEGIN IMMEDIATE";
    }

    /** Writes a number in the file's header that SQLite leaves to its users. Nothing reads it. */
    @Override
    public void touch(StoreConnection writer) throws SQLException {
        writer.update("PRAGMA user_version = 0");
    }

    Connection openReader() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        return config.createConnection(url());
    }

    /**
     * WAL with {@code synchronous=FULL}: a commit returns after its frames were written and fsynced. With
     * {@code NORMAL} it returns earlier, and a power failure can undo acknowledged debits.
     */
    private static SQLiteConfig durable() {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.enforceForeignKeys(true);
        config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        // Generated keys are not used. The driver would run an additional query after every INSERT to fetch them.
        config.setGetGeneratedKeys(false);
        return config;
    }

    private String url() {
        return "jdbc:sqlite:" + file;
    }

    /** Reads the settings back from the connection, because SQLite can ignore a setting. */
    static void requireDurable(Connection connection) throws SQLException {
        String journalMode = pragma(connection, "journal_mode");
        int synchronous = Integer.parseInt(pragma(connection, "synchronous"));
        if (!"wal".equals(journalMode) || synchronous < SYNCHRONOUS_FULL) {
            throw new StartupRefusal(
                    "The ledger's database would not be durable: journal_mode is " + journalMode + ", synchronous is "
                            + synchronous + ".",
                    "Put PURSER_HOME on a local file system that supports SQLite's write-ahead log with"
                            + " synchronous=FULL.");
        }
        if (!"1".equals(pragma(connection, "foreign_keys"))) {
            throw new StartupRefusal(
                    "SQLite does not enforce foreign keys.", "Use the SQLite this service ships with.");
        }
    }

    static String pragma(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA " + name)) {
            row.next();
            return row.getString(1);
        }
    }

    /**
     * Makes everything durable that a reader of this file could see now.
     *
     * <p>If the process was killed between writing a commit to the log and fsyncing it, the next process still reads
     * that commit from the page cache. If it answered from that commit and power then failed, an answer would be public
     * whose debit is gone. A failed fsync has the same effect: the kernel may mark the pages clean and never write
     * them. Copying the whole log into the database file writes the bytes again and fsyncs them.
     */
    static void settle(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
            row.next();
            if (row.getInt(1) != 0) {
                throw new StartupRefusal(
                        "Another program is using the ledger's database.", "Close it, then start the service again.");
            }
        }
    }

    /** Classifies by SQLite's primary result code, the low byte of the extended result code. */
    @Override
    public FailureScope scopeOf(Throwable failure) {
        if (!(failure instanceof SQLiteException sqlite)) {
            return FailureScope.WORK;
        }
        return switch (sqlite.getResultCode().code & 0xff) {
            case 5, 6, 7, 9, 13 -> FailureScope.TRANSACTION; // BUSY, LOCKED, NOMEM, INTERRUPT, FULL
            case 3, 8, 10, 11, 14, 15, 26 ->
                FailureScope.DATABASE; // PERM, READONLY, IOERR, CORRUPT, CANTOPEN, PROTOCOL, NOTADB
            default -> FailureScope.WORK;
        };
    }

    /**
     * Only {@code SQLITE_FULL}, for a full disk or a database at its permitted size, proves that nothing was committed.
     * A failed fsync is never retried: a second fsync reports success without writing what the first fsync lost.
     */
    @Override
    public FailureScope scopeOfCommit(Throwable failure) {
        return failure instanceof SQLiteException sqlite && (sqlite.getResultCode().code & 0xff) == 13
                ? FailureScope.TRANSACTION
                : FailureScope.DATABASE;
    }
}
