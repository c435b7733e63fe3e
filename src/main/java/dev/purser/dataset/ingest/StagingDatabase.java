package dev.purser.dataset.ingest;

import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DuckDbLibrary;
import dev.purser.rows.RowsNotWritten;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.duckdb.DuckDBConnection;

/**
 * A database on the disk for what an upload has to sort, deleted when closed. Names and texts of users never become part of a
 * statement.
 *
 * <p>It is locked down: a bounded memory, spilling to a folder of its own only, no other file, no network, no extension, and no
 * way for a statement to lift any of that.
 */
public final class StagingDatabase implements AutoCloseable {
    /** How statements name it. */
    public static final String CATALOG = "staged";

    private final Path file;
    private final Path spill;
    private final DuckDBConnection connection;

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

    /**
     * Creates an empty database.
     *
     * @param file one that does not exist; two more with names like it may come and go
     * @param columns of the widest table
     * @throws RowsNotWritten if no file can be made there
     */
    public StagingDatabase(Path file, int columns, Limits limits) throws SQLException, RowsNotWritten {
        this.file = file;
        spill = sibling(".spill");
        try {
            DatasetFiles.createFolder(spill);
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
        DuckDbLibrary.load();
        connection = DriverManager.getConnection("jdbc:duckdb:", properties(spill, limits))
                .unwrap(DuckDBConnection.class);
        try {
            attach(columns);
            execute("SET enable_external_access=false");
            execute("SET lock_configuration=true");
        } catch (SQLException | RowsNotWritten | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** One connection more, which whoever asks for it closes before this is. */
    public DuckDBConnection connect() throws SQLException {
        return connection.duplicate().unwrap(DuckDBConnection.class);
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

    private void attach(int columns) throws SQLException, RowsNotWritten {
        // A path under the service's own folder; ATTACH takes no parameter.
        String quoted = "'" + file.toString().replace("'", "''") + "'";
        String sizes = "ROW_GROUP_SIZE " + rowGroup(columns) + ", BLOCK_SIZE " + blockSize(columns);
        execute("ATTACH " + quoted + " AS " + CATALOG + " (" + sizes + ")");
        try {
            DatasetFiles.restrict(file);
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException, RowsNotWritten {
        try {
            connection.close();
        } finally {
            delete();
        }
    }

    private void delete() throws RowsNotWritten {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(sibling(".wal"));
            Files.deleteIfExists(spill);
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }

    private Path sibling(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }
}
