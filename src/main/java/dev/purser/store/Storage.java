package dev.purser.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** The differences between the databases that can hold the ledger. */
interface Storage {
    /** The database that the settings name; the SQLite file is in the folder {@code home}. */
    static Storage of(Path home, LedgerSettings settings) {
        return settings.isEmbedded() ? new Sqlite(home.resolve("ledger.db")) : new Postgres(settings);
    }

    /** Whether the database exists and was prepared once. Creates nothing. */
    boolean hasLedger() throws SQLException;

    /** The database's name in messages, without secrets. */
    String name();

    /**
     * Opens a connection for the writer, in auto-commit mode, and checks with the database that its commits are
     * durable.
     *
     * @throws StartupRefusal if commits are not durable
     */
    Connection openWriter() throws SQLException;

    /**
     * Repeats the checks of {@link #openWriter} whose answers can change while a connection is open. Runs every few
     * seconds, and after each commit before anybody is answered.
     *
     * @throws StartupRefusal if commits are not durable any more
     */
    void requireStillDurable(Connection writer) throws SQLException;

    /**
     * Makes durable what a killed predecessor left, and creates or migrates the tables. Runs once, before anything is
     * read.
     */
    void prepare(Connection writer) throws SQLException, IOException;

    Readers openReaders(MacKey key) throws SQLException;

    /** The statements that begin the writer's transactions. */
    String begin();

    /** Makes the smallest change that makes a commit flush. Nothing reads the changed value. */
    void touch(StoreConnection writer) throws SQLException;

    /**
     * Classifies a failure of running work. Exceptions of other types than {@link SQLException} affect only the work
     * itself.
     */
    FailureScope scopeOf(Throwable failure);

    /** Classifies a failure of COMMIT. */
    FailureScope scopeOfCommit(Throwable failure);
}
