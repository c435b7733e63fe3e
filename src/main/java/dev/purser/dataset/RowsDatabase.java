package dev.purser.dataset;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Opens the file that holds a dataset's rows: one table {@value #TABLE} with one {@code BIGINT NOT NULL} column per registered
 * column, named by its position. Names and texts of users never become part of a statement.
 *
 * <p>Whatever is opened here is locked down: a bounded memory, spilling to one given folder only, no other file, no network, no
 * extension, and no way for a statement to lift any of that.
 */
public final class RowsDatabase {
    public static final String TABLE = "rows";

    private RowsDatabase() {}

    /**
     * How much of the machine one open database may take.
     *
     * @param memoryMegabytes beyond this it spills to its folder
     */
    public record Limits(int memoryMegabytes, int threads) {
        public Limits {
            if (memoryMegabytes < 64 || threads < 1) {
                throw new IllegalArgumentException("a database needs at least 64 MB and one thread");
            }
        }
    }

    /** The storage name of the column at {@code position} of a dataset's columns. */
    public static String columnName(int position) {
        return "c" + position;
    }

    /** Creates an empty database. Closing the connection writes everything to {@code file}. */
    public static Connection create(Path file, Path spill, Limits limits) throws SQLException, IOException {
        return create(file, null, spill, limits);
    }

    /** As {@link #create(Path, Path, Limits)}, with a second, scratch database attached as {@code staged}. */
    public static Connection create(Path file, @Nullable Path staged, Path spill, Limits limits)
            throws SQLException, IOException {
        DatasetFiles.createFolder(spill);
        Connection connection = open(file, properties(spill, limits));
        try {
            DatasetFiles.restrict(file);
            if (staged != null) {
                attach(connection, staged);
                DatasetFiles.restrict(staged);
            }
            lockDown(connection);
            return connection;
        } catch (SQLException | IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Opens finished rows for reading. Results are streamed, not collected. */
    public static Connection openReadOnly(Path file, Path spill, Limits limits) throws SQLException {
        Properties properties = properties(spill, limits);
        properties.setProperty("access_mode", "READ_ONLY");
        Connection connection = open(file, properties);
        try {
            lockDown(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static Connection open(Path file, Properties properties) throws SQLException {
        DuckDbLibrary.load();
        return DriverManager.getConnection("jdbc:duckdb:" + file, properties);
    }

    private static Properties properties(Path spill, Limits limits) {
        Properties properties = new Properties();
        properties.setProperty("memory_limit", limits.memoryMegabytes() + "MB");
        properties.setProperty("threads", Integer.toString(limits.threads()));
        properties.setProperty("temp_directory", spill.toString());
        // Results are sets of rows; keeping an order nobody asked for costs memory.
        properties.setProperty("preserve_insertion_order", "false");
        properties.setProperty("autoinstall_known_extensions", "false");
        properties.setProperty("autoload_known_extensions", "false");
        properties.setProperty("jdbc_stream_results", "true");
        return properties;
    }

    private static void attach(Connection connection, Path staged) throws SQLException {
        // A path under the service's own folder; ATTACH takes no parameter.
        try (Statement statement = connection.createStatement()) {
            statement.execute("ATTACH '" + staged.toString().replace("'", "''") + "' AS staged");
        }
    }

    private static void lockDown(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET enable_external_access=false");
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lock_configuration=true");
        }
    }
}
