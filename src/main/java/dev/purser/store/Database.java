package dev.purser.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The embedded database, {@code ledger.db} in the home: one process, one writer, several readers.
 *
 * <p>What {@link #write} has returned is on the disk, in the order of the commits. What {@link #read} sees is on the disk.
 * The order of the start carries that: the lock first, so that no other process writes; then whatever a killed predecessor
 * left in the log is made durable; then the migrations; and only then the first work.
 */
@Component
public final class Database implements AutoCloseable {
    /** Statements that belong together. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        /**
         * Runs on the database's own thread or the caller's. It keeps nothing of the session, waits for nobody, and may be run
         * more than once.
         */
        T run(Session session) throws SQLException;
    }

    /** For works that change no account. */
    public static final String NO_ACCOUNT = "";

    private final HomeLock lock;
    private final Connection connection;
    private final GroupCommit writer;
    private final ReaderPool readers;

    /**
     * Opens the database of this home, and creates or migrates it.
     *
     * @throws StartupRefusal if another process has it, if it would not be durable, or if it cannot be migrated
     */
    public Database(PurserHome home) {
        lock = HomeLock.take(home);
        Connection opened = null;
        try {
            Path file = home.path().resolve("ledger.db");
            Sqlite sqlite = new Sqlite(file);
            opened = sqlite.openWriter();
            Sqlite.settle(opened);
            migrate(sqlite);
            PurserHome.syncDirectory(home.path());
            connection = opened;
            writer = new GroupCommit(opened);
            readers = new ReaderPool(sqlite);
            writer.start();
        } catch (SQLException | IOException | FlywayException failure) {
            abandon(opened);
            throw new StartupRefusal(
                    "The ledger's database in " + home.path() + " cannot be opened: " + failure.getMessage(),
                    "Check the disk and the folder's permissions, or restore a backup.",
                    failure);
        } catch (StartupRefusal refusal) {
            abandon(opened);
            throw refusal;
        }
    }

    private static void migrate(Sqlite sqlite) {
        Flyway.configure(Database.class.getClassLoader())
                .dataSource(sqlite.dataSource())
                .locations("classpath:db/migration/sqlite")
                // A database from a newer release is refused, not written with older rules.
                .ignoreMigrationPatterns(new String[0])
                .load()
                .migrate();
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

    /** Whether writing goes on: false once the storage has failed, until a restart. */
    public boolean isWritable() {
        return !writer.hasFailed();
    }

    /** How many transactions were committed since the start. */
    long commits() {
        return writer.commits();
    }

    /** Finishes the works that wait, then lets go of the file. */
    @Override
    public void close() throws SQLException {
        writer.close();
        try (HomeLock released = lock;
                Connection last = connection) {
            readers.close();
        }
    }
}
