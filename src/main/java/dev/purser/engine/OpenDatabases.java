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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.duckdb.DuckDBConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The databases that stay open between questions, the least recently used leaving first. One that leaves while it is read is
 * closed by its last reader, so more than the given number are open only while that many are being read at once.
 */
final class OpenDatabases implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenDatabases.class);

    private final DatasetFiles files;
    private final RowsDatabase.Limits limits;
    private final int maxOpen;
    private final Map<String, Database> open = new LinkedHashMap<>(16, 0.75f, true);

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
            leaveOldest();
        }
        Lease lease = new Lease(
                database, database.connection.unwrap(DuckDBConnection.class).duplicate());
        database.readers++;
        return lease;
    }

    private Database open(String datasetId) throws SQLException, IOException {
        Path file = files.data(datasetId);
        if (!Files.exists(file)) {
            throw new NoSuchFileException("rows of " + datasetId);
        }
        return new Database(RowsDatabase.openReadOnly(file, files.spill(datasetId), limits));
    }

    private void leaveOldest() {
        Iterator<Database> oldestFirst = open.values().iterator();
        while (open.size() > maxOpen) {
            Database database = oldestFirst.next();
            oldestFirst.remove();
            leave(database);
        }
    }

    synchronized void forget(String datasetId) {
        Database database = open.remove(datasetId);
        if (database != null) {
            leave(database);
        }
    }

    @Override
    public synchronized void close() {
        open.values().forEach(this::leave);
        open.clear();
    }

    private void leave(Database database) {
        database.left = true;
        closeIfUnused(database);
    }

    private synchronized void giveBack(Database database) {
        database.readers--;
        closeIfUnused(database);
    }

    private static void closeIfUnused(Database database) {
        if (!database.left || database.readers > 0) {
            return;
        }
        try {
            database.connection.close();
        } catch (SQLException e) {
            LOG.error("an open database could not be closed: {}", e.getClass().getName());
        }
    }

    /** Guarded by the lock of the enclosing object. */
    private static final class Database {
        private final Connection connection;
        private int readers;
        private boolean left;

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
