package dev.purser.dataset.ingest;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * A new table of longs, {@code c0, c1, …}, filled row by row in one transaction of its own. Rows go to the disk in groups of
 * {@link StagingDatabase#rowGroup}, so memory depends neither on their number nor on their width.
 */
final class RowTarget implements AutoCloseable {
    private final DuckDBConnection connection;
    private final DuckDBAppender appender;
    private final int group;
    private int unflushed;

    RowTarget(StagingDatabase database, String table, int columns) throws SQLException {
        connection = database.connect();
        group = StagingDatabase.rowGroup(columns);
        execute("BEGIN");
        String names = IntStream.range(0, columns)
                .mapToObj(position -> "c" + position + " BIGINT NOT NULL")
                .collect(Collectors.joining(", "));
        execute("CREATE TABLE " + StagingDatabase.CATALOG + ".main." + table + " (" + names + ")");
        appender = connection.createAppender(StagingDatabase.CATALOG, "main", table);
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
