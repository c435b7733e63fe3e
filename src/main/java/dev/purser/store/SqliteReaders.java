package dev.purser.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A few connections to the file, for readers in the order of their arrival. They see only durable commits, because
 * SQLite shows a commit after its fsync.
 */
final class SqliteReaders implements Readers {
    private static final int SIZE = 4;
    private static final int PATIENCE_SECONDS = 30;

    private final List<Connection> all = new ArrayList<>();
    private final BlockingQueue<StoreConnection> idle = new ArrayBlockingQueue<>(SIZE, true);

    SqliteReaders(Sqlite sqlite, MacKey key) throws SQLException {
        try {
            for (int i = 0; i < SIZE; i++) {
                Connection connection = sqlite.openReader();
                all.add(connection);
                idle.add(new StoreConnection(connection, key));
            }
        } catch (SQLException failure) {
            close();
            throw failure;
        }
    }

    @Override
    public <T extends @Nullable Object> T read(Database.Work<T> work) {
        return readOne(reader -> {
            reader.update("BEGIN");
            try {
                return work.run(reader);
            } finally {
                reader.update("ROLLBACK");
            }
        });
    }

    @Override
    public <T extends @Nullable Object> T readOne(Database.Work<T> work) {
        StoreConnection reader = take();
        try {
            return work.run(reader);
        } catch (SQLException failure) {
            throw new StorageException(failure);
        } finally {
            idle.add(reader);
        }
    }

    private StoreConnection take() {
        try {
            StoreConnection reader = idle.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (reader != null) {
                return reader;
            }
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
        }
        throw Readers.unavailable();
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : all) {
            connection.close();
        }
    }
}
