package dev.purser.store;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.problem.Refusals.refusedAs;
import static dev.purser.store.Awaited.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The cost of a failure of a server, a standby or another instance: never a write that was acknowledged. */
@Tag("full")
class PostgresFaultTests {
    private static final String WRITERS = " FROM pg_stat_activity WHERE application_name LIKE 'purser-writer%'";
    private static final String WAITING_COMMITS = WRITERS + " AND wait_event = 'SyncRep'";

    @TempDir
    Path folder;

    private final PostgresServer server = PostgresServer.startOwn();
    private final LedgerSettings settings = server.newDatabase();
    private Database database;

    @BeforeEach
    void open() {
        database = open("home", settings);
        write("CREATE TABLE note (id BIGINT PRIMARY KEY)");
        write("CREATE TABLE tally (account TEXT PRIMARY KEY, sum BIGINT NOT NULL)");
    }

    @AfterEach
    void close() throws SQLException {
        database.close();
        server.close();
    }

    private Database open(String home, LedgerSettings chosen) {
        return new Database(new PurserHome(folder.resolve(home)), chosen);
    }

    private void write(String sql) {
        database.write(Database.NO_ACCOUNT, connection -> connection.update(sql));
    }

    private void note(int id) {
        database.write(Database.NO_ACCOUNT, connection -> insert(connection, id));
    }

    /** Inserts a note once, as a request with its idempotency key would. */
    private static int insert(StoreConnection connection, int id) throws SQLException {
        return connection.update("INSERT INTO note VALUES (?) ON CONFLICT DO NOTHING", id);
    }

    private static Set<Integer> notes(Database from) {
        return from.read(connection -> Set.copyOf(connection.all("SELECT id FROM note", row -> row.getInt(1))));
    }

    private static void assertUnavailable(Runnable call) {
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, call::run);
    }

    @Test
    void aServerThatStopsUnderLoadLosesNothingAcknowledgedAndWritingGoesOn() throws Exception {
        Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
        AtomicInteger ids = new AtomicInteger();
        AtomicInteger refusals = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 16; i++) {
                threads.submit(() -> {
                    while (!over.get()) {
                        int id = ids.incrementAndGet();
                        try {
                            note(id);
                            acknowledged.add(id);
                        } catch (ProblemException refused) {
                            refusals.incrementAndGet();
                            Thread.sleep(5);
                        }
                    }
                    return null;
                });
            }
            for (int cycle = 0; cycle < 4; cycle++) {
                int before = acknowledged.size();
                awaitThat(() -> acknowledged.size() > before + 200);
                int refusedBefore = refusals.get();
                server.stopImmediately();
                awaitThat(() -> refusals.get() > refusedBefore);
                server.start();
            }
            awaitThat(database::isWritable);
            over.set(true);
        }
        assertThat(notes(database)).containsAll(acknowledged);
    }

    @Test
    void isUnhealthyWhileTheServerIsStopped() throws Exception {
        assertThat(database.isHealthy()).isTrue();
        server.stopImmediately();
        DatabaseContract.assertUnhealthyWithinFiveSeconds(database);

        server.start();
        awaitThat(database::isHealthy);
    }

    @Test
    void everyNewConnectionIsCheckedBeforeItIsWritten() throws Exception {
        AtomicInteger checks = new AtomicInteger();
        AtomicBoolean setBack = new AtomicBoolean();
        database.onConnect(connection -> {
            checks.incrementAndGet();
            if (setBack.get()) {
                throw new StartupRefusal("set back", "stop");
            }
        });

        setBack.set(true);
        server.execute("SELECT pg_terminate_backend(pid)" + WRITERS);
        awaitThat(() -> checks.get() > 1);
        assertThat(database.isWritable()).isFalse();
        assertUnavailable(() -> note(1));

        setBack.set(false);
        awaitThat(database::isWritable);
        note(1);
        assertThat(notes(database)).containsExactly(1);
    }

    @Test
    void aCommitThatIsOnlyLocalIsRefusedUntilTheStandbyHasIt() throws Exception {
        try (PostgresServer standby = standby()) {
            for (String end : new String[] {"pg_cancel_backend", "pg_terminate_backend"}) {
                int id = end.length();
                standby.stopImmediately();
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    Future<?> waiting = threads.submit(() -> note(id));
                    awaitThat(() -> "1".equals(server.ask("SELECT count(*)" + WAITING_COMMITS)));

                    server.execute("SELECT " + end + "(pid)" + WAITING_COMMITS);

                    assertThat(failureOf(waiting)).isInstanceOf(ProblemException.class);
                }
                // The instance has connected again. Its first commit waits for the standby, which is still missing.
                awaitThat(() -> "1".equals(server.ask("SELECT count(*)" + WAITING_COMMITS)));
                // The note is committed here, where it may be lost, so nobody may hear of it.
                assertThat(notes(database)).contains(id);
                assertUnavailableWithin(id);
                assertThat(database.isWritable()).isFalse();

                standby.start();
                awaitThat(database::isWritable);
                note(id);
            }
            server.stopImmediately();
            standby.promote();
            try (Database promoted = open("other", standby.settings(settings.user()))) {
                assertThat(notes(promoted)).hasSize(2);
            }
        }
    }

    /** The repeated request is refused too: what it would read is not safe yet. */
    private void assertUnavailableWithin(int id) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> again = threads.submit(() -> note(id));
            assertThat(failureOf(again)).isInstanceOf(ProblemException.class);
        }
    }

    private PostgresServer standby() throws Exception {
        PostgresServer standby = server.standby();
        awaitThat(() -> isDone(0));
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> open("other", standby.settings(settings.user())))
                .withMessageContaining("pg_is_in_recovery() is true");
        write("DELETE FROM note");
        return standby;
    }

    private boolean isDone(int id) {
        try {
            note(id);
            return true;
        } catch (ProblemException notYet) {
            return false;
        }
    }

    private static @Nullable Throwable failureOf(Future<?> call) throws InterruptedException {
        try {
            call.get();
            return new AssertionError("acknowledged");
        } catch (ExecutionException failure) {
            return failure.getCause();
        }
    }

    /**
     * Two instances lock two accounts in opposite order. The server ends one work of each pair, and that work runs
     * again.
     */
    @Test
    void instancesThatLockAgainstEachOtherBothSucceed() throws Exception {
        write("INSERT INTO tally VALUES ('a', 0), ('b', 0)");
        int each = 60;
        CountDownLatch bothHoldOne = new CountDownLatch(2);
        try (Database other = open("other", settings);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < each; i++) {
                threads.submit(() -> increment(database, bothHoldOne, "a", "b"));
                threads.submit(() -> increment(other, bothHoldOne, "b", "a"));
            }
        }
        assertThat(sums()).containsExactly(2 * each, 2 * each);
    }

    private List<Integer> sums() {
        return database.read(connection -> connection.all("SELECT sum FROM tally", row -> row.getInt(1)));
    }

    private static int increment(Database from, CountDownLatch bothHoldOne, String first, String second) {
        return from.write(first, connection -> {
            increment(connection, first);
            bothHoldOne.countDown();
            await(bothHoldOne);
            return increment(connection, second);
        });
    }

    private static int increment(StoreConnection connection, String account) throws SQLException {
        return connection.update("UPDATE tally SET sum = sum + 1 WHERE account = ?", account);
    }

    /** The instance is stopped where that does most harm: inside a transaction, holding a row. */
    @Test
    void aStoppedInstanceDoesNotHoldTheOthersForEver() throws Exception {
        write("INSERT INTO tally VALUES ('a', 0)");
        try (Database stopped = open("other", settings);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch holds = new CountDownLatch(1);
            CountDownLatch otherHasWritten = new CountDownLatch(1);
            Future<?> lost = threads.submit(() -> stopped.write("a", connection -> {
                int touched = increment(connection, "a");
                holds.countDown();
                await(otherHasWritten);
                return touched;
            }));
            await(holds);

            database.write("a", connection -> increment(connection, "a"));
            otherHasWritten.countDown();

            assertThat(failureOf(lost)).isInstanceOf(ProblemException.class);
            awaitThat(stopped::isWritable);
        }
        assertThat(sums()).containsExactly(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interruption) {
            throw new AssertionError(interruption);
        }
    }

    /** PostgreSQL undoes the whole work after a failed statement, so the work must not count as done. */
    @Test
    void aWorkThatHidesAFailedStatementFails() {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> database.write(Database.NO_ACCOUNT, connection -> {
                    insert(connection, 1);
                    try {
                        connection.update("INSERT INTO note VALUES (1)");
                    } catch (SQLException hidden) {
                        return 0;
                    }
                    return 1;
                }));
        assertThat(notes(database)).isEmpty();
    }
}
