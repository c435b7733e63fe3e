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
 * Opens the database in which the rows of an upload are collected: one table {@value #TABLE} with one {@code BIGINT NOT NULL} column per registered
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

    /**
     * Creates an empty database for rows of {@code columns} columns. Closing the connection writes everything to {@code file}.
     *
     * @param staged a second, scratch database to be attached as {@code staged}, or null
     */
    public static Connection create(Path file, @Nullable Path staged, Path spill, int columns, Limits limits)
            throws SQLException, IOException {
        DatasetFiles.createFolder(spill);
        Connection connection = open("", properties(spill, limits));
        try {
            attach(connection, file, "target", columns);
            if (staged != null) {
                attach(connection, staged, "staged", columns);
            }
            execute(connection, "USE target");
            lockDown(connection);
            return connection;
        } catch (SQLException | IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * How many rows of this many columns are collected in memory before they are written: about 16 MB, in the database's vectors
     * of 2048 rows. Its own default, 122 880 rows whatever their width, does not fit a small memory limit at 200 columns.
     */
    public static int rowGroup(int columns) {
        return Math.clamp((16 << 20) / (8L * Math.max(1, columns)) / 2048, 1, 60) * 2048;
    }

    /** Every column of a group of rows takes at least one block, so many columns want the smallest. */
    private static int blockSize(int columns) {
        return columns > 16 ? 1 << 14 : 1 << 18;
    }

    /** Opens complete rows for reading. Results are streamed, not collected. */
    static Connection openReadOnly(Path file, Path spill, Limits limits) throws SQLException {
        Properties properties = properties(spill, limits);
        properties.setProperty("access_mode", "READ_ONLY");
        Connection connection = open(file.toString(), properties);
        try {
            lockDown(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static Connection open(String file, Properties properties) throws SQLException {
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

    private static void attach(Connection connection, Path file, String name, int columns)
            throws SQLException, IOException {
        // A path under the service's own folder; ATTACH takes no parameter.
        String quoted = "'" + file.toString().replace("'", "''") + "'";
        String sizes = "ROW_GROUP_SIZE " + rowGroup(columns) + ", BLOCK_SIZE " + blockSize(columns);
        execute(connection, "ATTACH " + quoted + " AS " + name + " (" + sizes + ")");
        DatasetFiles.restrict(file);
    }

    private static void lockDown(Connection connection) throws SQLException {
        execute(connection, "SET enable_external_access=false");
        execute(connection, "SET lock_configuration=true");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
