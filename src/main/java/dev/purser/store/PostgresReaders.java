package dev.purser.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.purser.problem.ProblemException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A few connections to the server. Their transactions are read-only and see one snapshot from their first statement on.
 */
final class PostgresReaders implements Readers {
    private static final int SIZE = 4;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int ROWS_AT_ONCE = 100;

    private final HikariDataSource pool;
    private final Storage storage;
    private final MacKey key;

    PostgresReaders(PGSimpleDataSource source, Storage storage, MacKey key) {
        source.setDefaultRowFetchSize(ROWS_AT_ONCE);
        HikariConfig config = new HikariConfig();
        config.setPoolName("ledger-readers");
        config.setDataSource(source);
        config.setMaximumPoolSize(SIZE);
        config.setConnectionTimeout(PATIENCE_MILLIS);
        config.setReadOnly(true);
        config.setAutoCommit(false);
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        this.pool = new HikariDataSource(config);
        this.storage = storage;
        this.key = key;
    }

    @Override
    public <T extends @Nullable Object> T read(Database.Work<T> work) {
        // The pool rolls a returned connection back and closes its statements.
        try (Connection connection = pool.getConnection()) {
            return work.run(new StoreConnection(connection, key));
        } catch (SQLTransientConnectionException nobodyFree) {
            throw unavailable(nobodyFree);
        } catch (SQLException failure) {
            throw storage.scopeOf(failure) == FailureScope.WORK ? new StorageException(failure) : unavailable(failure);
        }
    }

    /** The pool sends no separate messages to begin and end the transaction. */
    @Override
    public <T extends @Nullable Object> T readOne(Database.Work<T> work) {
        return read(work);
    }

    private static ProblemException unavailable(SQLException cause) {
        ProblemException problem = Readers.unavailable();
        problem.addSuppressed(cause);
        return problem;
    }

    @Override
    public void close() {
        pool.close();
    }
}
