package dev.purser.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import org.jspecify.annotations.Nullable;

/** The writer's connection, with the statements that begin and end its transactions. */
final class WriterConnection implements AutoCloseable {
    /** "Transaction resolution unknown" in the SQL standard. */
    private static final String OUTCOME_UNKNOWN = "08007";

    final Connection connection;
    final StoreConnection statements;
    private final Control begin;
    private final Control save = new Control("SAVEPOINT work");
    private final Control undo = new Control("ROLLBACK TO work");
    private final Control release = new Control("RELEASE work");
    private final Control commit = new Control("COMMIT");
    private final Control rollback = new Control("ROLLBACK");

    /**
     * @param connection a connection in auto-commit mode: transactions begin and end only here, and the driver refuses
     *     work that tries to
     */
    WriterConnection(Connection connection, String begin, MacKey key) {
        this.connection = connection;
        this.statements = new StoreConnection(connection, key);
        this.begin = new Control(begin);
    }

    void begin() throws SQLException {
        statements.forgetHeads();
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
     * Commits durably. PostgreSQL only warns when it stops waiting for its standby. The transaction is then committed
     * on one server alone and may be lost, so it counts as not committed.
     */
    void commit() throws SQLException {
        SQLWarning warning = commit.execute();
        if (warning != null) {
            throw new SQLException("committed with a warning: " + warning.getMessage(), OUTCOME_UNKNOWN, warning);
        }
    }

    void rollback() throws SQLException {
        statements.forgetHeads();
        rollback.execute();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /**
     * A statement that begins or ends a transaction or savepoint. After a failure it is prepared again, because
     * SQLite's driver does not run a COMMIT again that met a full disk.
     */
    private final class Control {
        private final String sql;
        private @Nullable PreparedStatement prepared;

        Control(String sql) {
            this.sql = sql;
        }

        @Nullable
        SQLWarning execute() throws SQLException {
            PreparedStatement statement = prepared == null ? connection.prepareStatement(sql) : prepared;
            prepared = null;
            try {
                statement.clearWarnings();
                statement.execute();
            } catch (SQLException failure) {
                closeUnfit(statement, failure);
                throw failure;
            }
            prepared = statement;
            return statement.getWarnings();
        }

        private static void closeUnfit(PreparedStatement statement, SQLException failure) {
            try {
                statement.close();
            } catch (SQLException second) {
                failure.addSuppressed(second);
            }
        }
    }
}
