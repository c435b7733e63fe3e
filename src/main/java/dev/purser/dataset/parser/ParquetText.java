package dev.purser.dataset.parser;

import dev.purser.dataset.DuckDbLibrary;
import dev.purser.libc.Libc;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;

import static java.lang.foreign.ValueLayout.JAVA_INT;

/**
 * The rows of a Parquet file as CSV text: DuckDB writes them into a pipe that ends in this process, where they are scanned like
 * any CSV. So both formats mean the same: one text for each value, an empty one for NULL.
 *
 * <p>No name and no text of the file becomes part of a statement. DuckDB may open the file and the pipe, nothing else.
 */
final class ParquetText implements AutoCloseable {
    /** Types of which every value has one exact text; of DECIMAL whatever its digits. */
    private static final Set<String> TYPED = Set.of(
            "TINYINT",
            "SMALLINT",
            "INTEGER",
            "BIGINT",
            "HUGEINT",
            "UTINYINT",
            "USMALLINT",
            "UINTEGER",
            "UBIGINT",
            "UHUGEINT",
            "FLOAT",
            "DOUBLE",
            "BOOLEAN",
            "DATE",
            "TIMESTAMP",
            "TIMESTAMP_NS",
            "TIMESTAMP WITH TIME ZONE",
            "UUID",
            "VARCHAR");

    private static final String MEMORY_LIMIT = "256MB";
    private static final Libc PIPE = Libc.function("pipe");
    private static final Libc CLOSE = Libc.function("close");

    private final String source;
    private final String pipe;
    private final int writeEnd;
    private final InputStream text;
    private final Connection connection;

    private volatile boolean failed;

    private ParquetText(String source, String... permitted) throws IOException, SQLException {
        this.source = source;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(JAVA_INT, 2);
            PIPE.require(ends.address());
            int readEnd = ends.getAtIndex(JAVA_INT, 0);
            writeEnd = ends.getAtIndex(JAVA_INT, 1);
            text = new FileInputStream(descriptor(readEnd));
            CLOSE.require(readEnd);
        }
        pipe = quoted(descriptor(writeEnd));
        DuckDbLibrary.load();
        connection = DriverManager.getConnection("jdbc:duckdb:", settings());
        List<String> paths = new ArrayList<>(List.of(permitted));
        paths.add(pipe);
        // Whatever the zone of this host, and whatever offsets it once had.
        execute("SET TimeZone = 'UTC'");
        execute("SET allowed_paths = [" + String.join(", ", paths) + "]");
        execute("SET enable_external_access = false");
        execute("SET lock_configuration = true");
    }

    /** Gets ready to read a file, without looking at it. */
    static ParquetText ofFile(Path file) throws IOException, SQLException {
        String path = quoted(file.toString());
        return new ParquetText("read_parquet(" + path + ", hive_partitioning = false)", path);
    }

    /** Rows that come from no file. */
    static ParquetText ofQuery(String query) throws IOException, SQLException {
        return new ParquetText(query);
    }

    private static Properties settings() {
        Properties settings = new Properties();
        settings.setProperty("threads", "1");
        settings.setProperty("memory_limit", MEMORY_LIMIT);
        settings.setProperty("temp_directory", "");
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        return settings;
    }

    /** @throws SQLException if the file is not Parquet, or its description does not fit into memory */
    List<FieldWriter.HeaderColumn> header() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet nothing = statement.executeQuery("SELECT * FROM " + source + " LIMIT 0")) {
            ResultSetMetaData columns = nothing.getMetaData();
            List<FieldWriter.HeaderColumn> header = new ArrayList<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                String type = columns.getColumnTypeName(i);
                boolean typed = TYPED.contains(type) || type.startsWith("DECIMAL(") && type.endsWith(")");
                header.add(new FieldWriter.HeaderColumn(columns.getColumnName(i), typed));
            }
            return header;
        }
    }

    /** The rows below the header; {@link #failed()} says at its end whether it is all of them. Asked for once. */
    InputStream rows() {
        Thread.ofPlatform().daemon().name("parquet").start(this::copy);
        return text;
    }

    boolean failed() {
        return failed;
    }

    private void copy() {
        try {
            execute("COPY (SELECT * FROM " + source + ") TO " + pipe + " (FORMAT csv, HEADER false)");
        } catch (SQLException e) {
            failed = true;
        } finally {
            CLOSE.call(writeEnd);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String descriptor(int number) {
        return "/proc/self/fd/" + number;
    }

    private static String quoted(String path) {
        return "'" + path.replace("'", "''") + "'";
    }

    @Override
    public void close() throws SQLException, IOException {
        text.close();
        connection.close();
    }
}
