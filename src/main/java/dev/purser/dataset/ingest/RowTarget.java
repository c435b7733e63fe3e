package dev.purser.dataset.ingest;

import dev.purser.dataset.RowsDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** A table of longs, filled row by row. */
final class RowTarget implements AutoCloseable {
    private final DuckDBAppender appender;

    private RowTarget(DuckDBAppender appender) {
        this.appender = appender;
    }

    /** The finished table: the dataset's columns by position. */
    static RowTarget rows(Connection connection, int columns) throws SQLException {
        createTable(connection, RowsDatabase.TABLE, "", columns);
        return new RowTarget(connection.unwrap(DuckDBConnection.class).createAppender("main", RowsDatabase.TABLE));
    }

    /** A table of the attached scratch database: {@code key0, key1, key2}, then the dataset's columns. */
    static RowTarget staged(Connection connection, String table, int columns) throws SQLException {
        createTable(
                connection,
                "staged.main." + table,
                "key0 BIGINT NOT NULL, key1 BIGINT NOT NULL, key2 BIGINT NOT NULL, ",
                columns);
        return new RowTarget(connection.unwrap(DuckDBConnection.class).createAppender("staged", "main", table));
    }

    void add(long[] values) throws SQLException {
        appender.beginRow();
        addValues(values);
    }

    void add(long key0, long key1, long key2, long[] values) throws SQLException {
        appender.beginRow();
        appender.append(key0).append(key1).append(key2);
        addValues(values);
    }

    private void addValues(long[] values) throws SQLException {
        for (long value : values) {
            appender.append(value);
        }
        appender.endRow();
    }

    @Override
    public void close() throws SQLException {
        appender.close();
    }

    private static void createTable(Connection connection, String name, String keys, int columns) throws SQLException {
        String values = IntStream.range(0, columns)
                .mapToObj(position -> RowsDatabase.columnName(position) + " BIGINT NOT NULL")
                .collect(Collectors.joining(", "));
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + name + " (" + keys + values + ")");
        }
    }
}
