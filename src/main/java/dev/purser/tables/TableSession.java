package dev.purser.tables;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** A read-only session that sees one state of the tables until it is closed. */
public final class TableSession implements AutoCloseable {
    private final Connection connection;
    private final Dialect dialect;
    private final Semaphore sessions;

    TableSession(Connection connection, Dialect dialect, Semaphore sessions) {
        this.connection = connection;
        this.dialect = dialect;
        this.sessions = sessions;
    }

    /** The driver's connection, which this session closes. */
    public Connection connection() {
        return connection;
    }

    public Dialect dialect() {
        return dialect;
    }

    /** The columns of a table, as {@link Dialect#columns} finds them. */
    public Map<String, ColumnType> columns(TableName table) throws SQLException {
        return dialect.columns(connection, table);
    }

    @Override
    public void close() throws SQLException {
        try {
            connection.close();
        } finally {
            sessions.release();
        }
    }
}
