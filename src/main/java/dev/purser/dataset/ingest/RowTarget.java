package dev.purser.dataset.ingest;

import dev.purser.dataset.RowsDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * A new table of longs, {@code c0, c1, …}, filled row by row in one transaction of its own. Rows go to the disk in groups of
 * {@link RowsDatabase#rowGroup}, so memory depends neither on their number nor on their width.
 */
final class RowTarget implements AutoCloseable {
    private final Connection connection;
    private final DuckDBAppender appender;
    private final int group;
    private int unflushed;

    /** @param catalog {@code target} or {@code staged} */
    RowTarget(Connection database, String catalog, String table, int columns) throws SQLException {
        connection = database.unwrap(DuckDBConnection.class).duplicate();
        group = RowsDatabase.rowGroup(columns);
        execute("BEGIN");
        String names = IntStream.range(0, columns)
                .mapToObj(position -> RowsDatabase.columnName(position) + " BIGINT NOT NULL")
                .collect(Collectors.joining(", "));
        execute("CREATE TABLE " + catalog + ".main." + table + " (" + names + ")");
        appender = connection.unwrap(DuckDBConnection.class).createAppender(catalog, "main", table);
    }

    /** The finished table: the dataset's columns by position. */
    static RowTarget rows(Connection database, int columns) throws SQLException {
        return new RowTarget(database, "target", RowsDatabase.TABLE, columns);
    }

    void add(long... values) throws SQLException {
        appender.beginRow();
        for (long value : values) {
            appender.append(value);
        }
        appender.endRow();
        if (++unflushed == group) {
            appender.flush();
            unflushed = 0;
        }
    }

    @Override
    public void close() throws SQLException {
        try (connection) {
            // After a failure this commits a part; the file is deleted then.
            appender.close();
            execute("COMMIT");
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
