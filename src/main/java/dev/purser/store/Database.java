package dev.purser.store;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The ledger's database: {@code ledger.db} in the home, which one process opens; or a PostgreSQL that several instances share,
 * each with a home of its own. In each process one writer and several readers.
 *
 * <p>What {@link #write} has returned is durable, in the order of the commits, and so is everything its work has seen. The
 * order of the start carries that: the lock first, so that no other process writes; then whatever a killed predecessor left is
 * made durable; then the migrations; and only then the first work.
 */
@Component
public final class Database implements AutoCloseable {
    /** Statements that belong together. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        /**
         * Runs on the database's own thread or the caller's. It keeps nothing of the connection, waits for nobody, and may be run
         * more than once.
         */
        T run(StoreConnection connection) throws SQLException;
    }

    /** For works that change no account. */
    public static final String NO_ACCOUNT = "";

    private final HomeLock lock;
    private final GroupCommit writer;
    private final Readers readers;

    /** The SQLite file of this home. */
    public Database(PurserHome home) {
        this(home, LedgerSettings.embedded());
    }

    /**
     * Opens the database these settings name, and creates or migrates it.
     *
     * @throws StartupRefusal if another process has the home, if commits would not be durable, or if it cannot be migrated
     */
    @Autowired
    public Database(PurserHome home, LedgerSettings settings) {
        lock = HomeLock.take(home);
        Connection opened = null;
        Storage storage = null;
        try {
            storage = settings.isEmbedded() ? new Sqlite(home.path().resolve("ledger.db")) : new Postgres(settings);
            opened = storage.openWriter();
            storage.prepare(opened);
            writer = new GroupCommit(storage, opened);
            readers = storage.openReaders();
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

    private void abandon(@Nullable Connection opened) {
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (SQLException ignored) {
            // The reason for abandoning says more.
        } finally {
            lock.close();
        }
    }

    /**
     * Runs {@code work} in a transaction and returns its result after the transaction is durable. Works of several callers
     * share a commit but do not disturb each other; each sees what the ones before it did. What the work throws undoes what
     * it did and is thrown here.
     *
     * <p>Works that change an account name it, and begin with {@code SELECT … FOR UPDATE} of its row where the database has
     * row locks: within a commit, works run in the order of these names, so that no two commits wait for each other.
     *
     * @param account the ledger account whose row the work changes; {@link #NO_ACCOUNT} if it changes none
     * @throws StorageException if a statement fails
     * @throws dev.purser.problem.ProblemException {@code TEMPORARILY_UNAVAILABLE} if the storage fails; the work may or may
     *     not be found done after a restart
     */
    public <T extends @Nullable Object> T write(String account, Work<T> work) {
        return writer.write(account, work);
    }

    /**
     * Runs {@code work} against one durable snapshot.
     *
     * @throws StorageException if a statement fails
     */
    public <T extends @Nullable Object> T read(Work<T> work) {
        return readers.read(work);
    }

    /**
     * Sets who is told of each group of commits before their callers are answered; nobody until this is called. While the
     * witness fails, every write is refused.
     */
    public void witness(CommitWitness witness) {
        writer.witness(witness);
    }

    /**
     * Sets who looks at the database now, and again before the first work on every later connection.
     *
     * @throws StartupRefusal as thrown by the check now; thrown later, it keeps the database unwritable until a new connection
     *     passes
     */
    public void onConnect(ConnectCheck check) {
        writer.onConnect(check);
    }

    /** Whether works are done: false once the file has failed, and while the server or the witness does. */
    public boolean isWritable() {
        return writer.isWritable();
    }

    /** How many transactions were committed since the start. */
    long commits() {
        return writer.commits();
    }

    /** Finishes the works that wait, then lets go of the database. */
    @Override
    public void close() throws SQLException {
        try (HomeLock released = lock) {
            writer.close();
            readers.close();
        }
    }
}
