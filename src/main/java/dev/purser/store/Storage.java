package dev.purser.store;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

/** What differs between the databases that can hold the ledger. */
interface Storage {
    /** In words, for messages; without secrets. */
    String name();

    /**
     * A connection that writes, in auto-commit mode, after the database itself has said that its commits are durable.
     *
     * @throws StartupRefusal if they are not
     */
    Connection openWriter() throws SQLException;

    /**
     * Asks again what {@link #openWriter} asked, where the answer can change under a running connection.
     *
     * @throws StartupRefusal if commits are not durable any more
     */
    void requireStillDurable(Connection writer) throws SQLException;

    /** Makes what a killed predecessor left durable, and creates or migrates the tables. Once, before anything is read. */
    void prepare(Connection writer) throws SQLException, IOException;

    Readers openReaders() throws SQLException;

    /** The statements that begin the writer's transactions. */
    String begin();

    /** Of a failure while works run. What is no {@link SQLException} is the work's own. */
    FailureScope scopeOf(Throwable failure);

    /** Of a failure of COMMIT. */
    FailureScope scopeOfCommit(Throwable failure);
}
