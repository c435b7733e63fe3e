package dev.purser.engine;

import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.RowsDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.duckdb.DuckDBConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The databases that stay open between questions, the least recently used leaving first. What is being read never leaves: a file
 * must not be opened a second time while it is open, so more than the given number are open while that many are being read at
 * once, and no longer.
 */
final class OpenDatabases implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenDatabases.class);

    private final DatasetFiles files;
    private final RowsDatabase.Limits limits;
    private final int maxOpen;
    private final Map<String, Database> open = new LinkedHashMap<>(16, 0.75f, true);

    /** Ids are never used again, so this grows by one per deletion and no faster. */
    private final Set<String> forgotten = new HashSet<>();

    OpenDatabases(DatasetFiles files, RowsDatabase.Limits limits, int maxOpen) {
        this.files = files;
        this.limits = limits;
        this.maxOpen = maxOpen;
    }

    /** A connection of its own to the dataset's rows, to be given back by closing it. */
    synchronized Lease borrow(String datasetId) throws SQLException, IOException {
        Database database = open.get(datasetId);
        if (database == null) {
            database = open(datasetId);
            open.put(datasetId, database);
        }
        database.readers++;
        try {
            return new Lease(
                    database, database.connection.unwrap(DuckDBConnection.class).duplicate());
        } catch (SQLException e) {
            giveBack(database);
            throw e;
        } finally {
            closeUnused();
        }
    }

    private Database open(String datasetId) throws SQLException, IOException {
        Path file = files.data(datasetId);
        if (forgotten.contains(datasetId) || !Files.exists(file)) {
            throw new NoSuchFileException("rows of " + datasetId);
        }
        return new Database(RowsDatabase.openReadOnly(file, files.spill(datasetId), limits));
    }

    /**
     * Closes the dataset's database, at once or after its last reader, and opens it never again: a question that comes between
     * this and the removal of the file must not keep deleted rows open.
     */
    synchronized void forget(String datasetId) {
        forgotten.add(datasetId);
        Database database = open.get(datasetId);
        if (database != null) {
            database.forgotten = true;
            closeUnused();
        }
    }

    @Override
    public synchronized void close() {
        open.values().forEach(database -> database.forgotten = true);
        closeUnused();
    }

    private synchronized void giveBack(Database database) {
        database.readers--;
        closeUnused();
    }

    /** Closes what nobody reads and what is forgotten or, the least recently used first, too many. */
    private void closeUnused() {
        Iterator<Database> oldestFirst = open.values().iterator();
        while (oldestFirst.hasNext()) {
            Database database = oldestFirst.next();
            if (database.readers == 0 && (database.forgotten || open.size() > maxOpen)) {
                oldestFirst.remove();
                close(database.connection);
            }
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.error("an open database could not be closed: {}", e.getClass().getName());
        }
    }

    /** Guarded by the lock of the enclosing object. */
    private static final class Database {
        private final Connection connection;
        private int readers;
        private boolean forgotten;

        private Database(Connection connection) {
            this.connection = connection;
        }
    }

    /** The use of one database by one question. */
    final class Lease implements AutoCloseable {
        private final Database database;
        private final Connection connection;

        private Lease(Database database, Connection connection) {
            this.database = database;
            this.connection = connection;
        }

        PreparedStatement prepare(String sql) throws SQLException {
            return connection.prepareStatement(sql);
        }

        @Override
        public void close() throws SQLException {
            try {
                connection.close();
            } finally {
                giveBack(database);
            }
        }
    }
}
