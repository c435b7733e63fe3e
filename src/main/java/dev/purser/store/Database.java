package dev.purser.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The ledger's database: {@code ledger.db} in the home, which one process opens, or a PostgreSQL database that several
 * instances share. Each of these instances has a home of its own. Each process has one writer and several readers.
 *
 * <p>When {@link #write} returns, its changes and everything that its work has seen are durable. The order of the start
 * ensures this. First it takes the lock, so that no other process writes. Then it makes durable what a killed
 * predecessor left, and runs the migrations. Only then does it accept work.
 */
@Component
public final class Database implements AutoCloseable {
    /** Statements that run in one transaction. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        /**
         * Runs on the database's own thread or the caller's, possibly more than once. It must not keep the connection
         * or wait for another thread.
         */
        T run(StoreConnection connection) throws SQLException;
    }

    /** The account name for work that changes no account. */
    public static final String NO_ACCOUNT = "";

    /** With {@code @Value}: whether this run only accepts a restored ledger. Only the command can set it. */
    public static final String ACCEPTING =
            "#{springApplicationArguments.nonOptionArgs.contains('accept-restored-ledger')}";

    /** Null for a copy, which nobody writes. */
    private final @Nullable HomeLock lock;

    private final MacKey key;
    private final GroupCommit writer;
    private final Readers readers;

    /** The SQLite file of this home. */
    public Database(PurserHome home) {
        this(home, LedgerSettings.embedded());
    }

    @Autowired
    Database(PurserHome home, StoreSettings settings) {
        this(home, settings.ledger());
    }

    /**
     * Opens the database that the settings name, and creates or migrates it.
     *
     * @throws StartupRefusal if another process has the home, if commits would not be durable, or if the database
     *     cannot be migrated
     */
    public Database(PurserHome home, LedgerSettings settings) {
        this(HomeLock.take(home), () -> MacKey.of(home, settings), () -> Storage.of(home.path(), settings));
    }

    private Database(@Nullable HomeLock lock, Supplier<MacKey> keyOf, Supplier<Storage> chosen) {
        this.lock = lock;
        Connection opened = null;
        Storage storage = null;
        try {
            key = keyOf.get();
            storage = chosen.get();
            opened = storage.openWriter();
            storage.prepare(opened);
            writer = new GroupCommit(storage, opened, key, Threads.PATIENCE);
            readers = storage.openReaders(key);
            writer.start();
        } catch (SQLException | IOException | FlywayException failure) {
            abandon(opened);
            throw new StartupRefusal(
                    "The ledger's database " + (storage == null ? "" : storage.name()) + " cannot be opened: "
                            + failure.getMessage(),
                    "Check the database, its disk and permissions, or restore a backup.",
                    failure);
        } catch (RuntimeException | Error failure) {
            abandon(opened);
            throw failure;
        }
    }

    /**
     * Copies the SQLite ledger of a home into a copy of the home, as it is at one moment, while a service may write it.
     *
     * @throws StartupRefusal if the ledger cannot be read, or the copy cannot be written
     */
    public static void copy(PurserHome home, PurserHome copy) {
        Path ledger = ledgerIn(home);
        Path to = ledgerIn(copy);
        try {
            new SqliteCopy(to).make(ledger);
        } catch (SQLException | IOException failure) {
            throw new StartupRefusal(
                    "The ledger's database " + ledger + " cannot be copied to " + to + ": " + failure.getMessage(),
                    "Check the disks and permissions.",
                    failure);
        }
    }

    /**
     * Opens what {@link #copy} made in a copy of the home. The database can only be read, and opening it changes
     * nothing.
     *
     * @throws StartupRefusal if the file is no such copy
     */
    public static Database ofCopy(PurserHome copy, LedgerSettings settings) {
        return new Database(null, () -> MacKey.of(copy, settings), () -> new SqliteCopy(ledgerIn(copy)));
    }

    private static Path ledgerIn(PurserHome home) {
        return home.path().resolve("ledger.db");
    }

    private void abandon(@Nullable Connection opened) {
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (SQLException ignored) {
            // The failure that led here is the one to report.
        } finally {
            if (lock != null) {
                lock.close();
            }
        }
    }

    /**
     * Runs {@code work} in a transaction and returns its result when the transaction is durable. Several callers share
     * a commit but do not disturb each other. Each caller's work sees the changes of earlier work. If the work throws,
     * its changes are undone and the exception is thrown here.
     *
     * <p>Work that changes an account names the account, and begins with {@code SELECT … FOR UPDATE} of the account's
     * row if the database has row locks. Within a commit, work runs in the order of these names, so that no two commits
     * wait for each other.
     *
     * @param account the ledger account whose row the work changes; {@link #NO_ACCOUNT} if it changes none
     * @throws StorageException if a statement fails
     * @throws dev.purser.problem.ProblemException {@code TEMPORARILY_UNAVAILABLE} if the storage fails, or does not
     *     answer within half a minute; the changes may or may not have been made
     */
    public <T extends @Nullable Object> T write(String account, Work<T> work) {
        return writer.write(account, work);
    }

    /**
     * Runs {@code work} against one snapshot of committed data. Its last commits may not be witnessed yet.
     *
     * @throws StorageException if a statement fails
     */
    public <T extends @Nullable Object> T read(Work<T> work) {
        return readers.read(work);
    }

    /** As {@link #read}, for work that is one statement, which sees one snapshot without a transaction around it. */
    public <T extends @Nullable Object> T readOne(Work<T> work) {
        return readers.readOne(work);
    }

    /**
     * Sets the witness, which learns of each group of commits before the group's callers are answered. While the
     * witness fails, every write is refused.
     */
    public void witness(CommitWitness witness) {
        writer.witness(witness);
    }

    /**
     * Sets the check of the database. It runs now, and before the first work on every later connection.
     *
     * @throws StartupRefusal if the check fails now. A later failure keeps the database unwritable until a new
     *     connection passes
     */
    public void onConnect(ConnectCheck check) {
        writer.onConnect(check);
    }

    /**
     * Whether a write would be durable and answered now. A small write through the writer is tried, but at most one in
     * five seconds, however often this is called. This waits for that write until three seconds after it began.
     */
    public boolean isHealthy() {
        return writer.isProvenWritable();
    }

    /**
     * Whether writes are accepted: false after the file has failed, while the server or the witness fails, and while
     * one of the ledger's threads is stuck.
     */
    boolean isWritable() {
        return writer.isWritable();
    }

    /** The key of the home, for codes of what is stored. */
    public MacKey key() {
        return key;
    }

    long commits() {
        return writer.commits();
    }

    /** Finishes waiting work, then closes the database and releases the lock. */
    @Override
    public void close() throws SQLException {
        try (@Nullable HomeLock released = lock) {
            writer.close();
            readers.close();
        }
    }
}
