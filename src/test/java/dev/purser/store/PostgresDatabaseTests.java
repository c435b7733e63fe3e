package dev.purser.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

import static dev.purser.store.Awaited.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

class PostgresDatabaseTests extends DatabaseContract {
    private final LedgerSettings settings = PostgresServer.shared().newDatabase();

    @Override
    Database open() {
        return new Database(new PurserHome(folder), settings);
    }

    @Override
    void forgetTheNewerRelease() throws SQLException {
        try (Connection connection = DriverManager.getConnection(settings.url(), settings.user(), settings.password());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM flyway_schema_history WHERE version = '99'");
        }
    }

    /** Both instances look before either has committed. The second one is run again and sees the name of the first. */
    @Test
    void ofTwoInstancesThatTakeOneNameTheSecondSeesThatItIsTaken() throws Exception {
        CountDownLatch firstHasInserted = new CountDownLatch(1);
        CountDownLatch secondHasLooked = new CountDownLatch(1);
        try (Database one = new Database(new PurserHome(folder.resolve("one")), settings);
                Database two = new Database(new PurserHome(folder.resolve("two")), settings);
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            one.write(
                    Database.NO_ACCOUNT, connection -> connection.update("CREATE TABLE name (name TEXT PRIMARY KEY)"));
            Future<Boolean> first = thread.submit(() -> one.write(Database.NO_ACCOUNT, connection -> {
                boolean taken = take(connection);
                firstHasInserted.countDown();
                await(secondHasLooked);
                awaitALockWait();
                return taken;
            }));
            firstHasInserted.await();
            boolean second = two.write(Database.NO_ACCOUNT, connection -> {
                boolean free = isFree(connection);
                secondHasLooked.countDown();
                return free && take(connection);
            });
            assertThat(first.get()).isTrue();
            assertThat(second).isFalse();
        }
    }

    /** Waits until the second instance has inserted the name too and waits for the outcome of the first. */
    private void awaitALockWait() {
        try {
            awaitThat(() -> "1"
                    .equals(PostgresServer.shared()
                            .ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename = '"
                                    + settings.user() + "'")));
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static boolean isFree(StoreConnection connection) throws SQLException {
        return connection
                .first("SELECT 1 FROM name WHERE name = 'n'", row -> true)
                .isEmpty();
    }

    private static boolean take(StoreConnection connection) throws SQLException {
        return connection.update("INSERT INTO name VALUES ('n')") == 1;
    }
}
