package dev.purser.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;

/** The writer's connection with the statements that begin and end its transactions. */
final class WriterConnection implements AutoCloseable {
    /** "Transaction resolution unknown" in the SQL standard. */
    private static final String OUTCOME_UNKNOWN = "08007";

    final Connection connection;
    final Session session;
    private final PreparedStatement begin;
    private final PreparedStatement save;
    private final PreparedStatement undo;
    private final PreparedStatement release;
    private final PreparedStatement commit;
    private final PreparedStatement rollback;

    /**
     * @param connection in auto-commit mode: the transactions are begun and ended here, and a work that tries to is refused
     *     by the driver
     */
    WriterConnection(Connection connection, String begin) throws SQLException {
        this.connection = connection;
        this.session = new Session(connection);
        this.begin = connection.prepareStatement(begin);
        this.save = connection.prepareStatement("SAVEPOINT work");
        this.undo = connection.prepareStatement("ROLLBACK TO work");
        this.release = connection.prepareStatement("RELEASE work");
        this.commit = connection.prepareStatement("COMMIT");
        this.rollback = connection.prepareStatement("ROLLBACK");
    }

    void begin() throws SQLException {
        session.forgetHeads();
        begin.execute();
    }

    void save() throws SQLException {
        save.execute();
    }

    void release() throws SQLException {
        release.execute();
    }

    void undo() throws SQLException {
        undo.execute();
        release.execute();
    }

    /**
     * Commits durably. PostgreSQL only warns when it stopped waiting for its standby: the transaction is then committed
     * where it may be lost, which counts as not committed here.
     */
    void commit() throws SQLException {
        commit.clearWarnings();
        commit.execute();
        SQLWarning warning = commit.getWarnings();
        if (warning != null) {
            throw new SQLException("committed with a warning: " + warning.getMessage(), OUTCOME_UNKNOWN, warning);
        }
    }

    void rollback() throws SQLException {
        session.forgetHeads();
        rollback.execute();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
