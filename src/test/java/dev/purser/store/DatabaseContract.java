package dev.purser.store;

import dev.purser.problem.ProblemType;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.problem.Refusals.refusedAs;
import static dev.purser.store.Awaited.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What works and their callers may rely on in each kind of database. */
abstract class DatabaseContract {
    @TempDir
    Path folder;

    Database database;

    /** Opens the same database at every call within one test. */
    abstract Database open();

    @BeforeEach
    void openWithATable() {
        database = open();
        write("CREATE TABLE note (id BIGINT PRIMARY KEY, text TEXT NOT NULL)");
    }

    @AfterEach
    void close() throws SQLException {
        database.close();
    }

    int write(String sql) {
        return database.write(Database.NO_ACCOUNT, transaction -> transaction.update(sql));
    }

    int note(int id, String text) {
        return database.write(Database.NO_ACCOUNT, transaction -> insert(transaction, id, text));
    }

    static int insert(StoreConnection transaction, int id, String text) throws SQLException {
        return transaction.update("INSERT INTO note VALUES (?, ?)", id, text);
    }

    int notes() {
        return database.read(DatabaseContract::count);
    }

    static int count(StoreConnection connection) throws SQLException {
        return connection
                .first("SELECT count(*) FROM note", row -> row.getInt(1))
                .orElseThrow();
    }

    void reopen() {
        database = open();
    }

    @Test
    void readsWhatWasWrittenAndKeepsItOverARestart() throws SQLException {
        note(1, "one");
        assertThat(notes()).isEqualTo(1);

        close();
        reopen();

        assertThat(notes()).isEqualTo(1);
    }

    @Test
    void aDatabaseOfANewerReleaseIsRefused() throws SQLException {
        write("INSERT INTO flyway_schema_history SELECT 99, '99', 'newer', type, 'V99__newer.sql', checksum, "
                + "installed_by,"
                + " installed_on, execution_time, success FROM flyway_schema_history WHERE version = '1.1'");
        close();

        assertThatExceptionOfType(StartupRefusal.class).isThrownBy(this::reopen);

        forgetTheNewerRelease();
        reopen();
    }

    /** Removes the newer release from the history, behind the service's back. */
    abstract void forgetTheNewerRelease() throws SQLException;

    /** A stored answer can take much of the memory. */
    @Test
    void aStatementThatHasRunKeepsNoValue() throws InterruptedException {
        WeakReference<String> value = writtenNote();
        // The writer's thread forgets a work when it takes the next one.
        write("DELETE FROM note WHERE id = 2");
        awaitThat(() -> {
            System.gc();
            return value.refersTo(null);
        });
    }

    private WeakReference<String> writtenNote() {
        String text = "x".repeat(1_000);
        note(1, text);
        return new WeakReference<>(text);
    }

    /** A parameter left over from the last user would be written in place of a forgotten parameter. */
    @Test
    void aStatementRunAgainRemembersNothing() {
        note(1, "one");

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> database.write(
                        Database.NO_ACCOUNT, transaction -> transaction.update("INSERT INTO note VALUES (?, ?)", 2)));
    }

    @Test
    void readersDoNotWrite() {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> database.read(connection -> insert(connection, 1, "one")));
    }

    @Test
    void aReadSeesOneMoment() {
        int[] seen = database.read(connection -> {
            int before = count(connection);
            note(1, "one");
            return new int[] {before, count(connection)};
        });

        assertThat(seen).containsExactly(0, 0);
        assertThat(notes()).isEqualTo(1);
    }

    @Test
    void aFailingWorkIsUndoneAndItsExceptionGoesToItsCaller() {
        RuntimeException own = new IllegalArgumentException("mine");

        assertThatThrownBy(() -> database.<Integer>write(Database.NO_ACCOUNT, transaction -> {
                    insert(transaction, 1, "one");
                    throw own;
                }))
                .isSameAs(own);
        assertThat(notes()).isZero();
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> database.write(Database.NO_ACCOUNT, transaction -> {
                    insert(transaction, 1, "one");
                    return insert(transaction, 1, "again");
                }));
        assertThat(notes()).isZero();
        assertThat(note(1, "one")).isEqualTo(1);
    }

    @Test
    void aWorkCannotWaitForAnother() {
        assertThatIllegalStateException()
                .isThrownBy(() -> database.write(Database.NO_ACCOUNT, transaction -> note(1, "one")));
        assertThat(notes()).isZero();
    }

    @Test
    void worksThatWaitTogetherAreCommittedTogetherAndFailAlone() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch queued = new CountDownLatch(1);
        List<Future<Integer>> callers = new ArrayList<>();
        try (Callers threads = new Callers()) {
            Future<Integer> first = threads.submit(() -> database.<Integer>write(Database.NO_ACCOUNT, transaction -> {
                begun.countDown();
                await(queued);
                return 0;
            }));
            await(begun);
            long before = database.commits();
            for (int i = 0; i < 100; i++) {
                int id = i;
                callers.add(threads.submit(() -> id % 10 == 3 ? note(id, "dup") + note(id, "dup") : note(id, "x")));
            }
            threads.awaitAllWaiting();
            queued.countDown();
            first.get();
            int failed = 0;
            for (Future<Integer> caller : callers) {
                failed += fails(caller) ? 1 : 0;
            }

            assertThat(failed).isEqualTo(10);
            assertThat(notes()).isEqualTo(100);
            assertThat(database.commits() - before).isLessThanOrEqualTo(20);
        }
    }

    /** Callers of writes, each with a thread that waits as soon as its work is queued. */
    private static final class Callers implements AutoCloseable {
        private final List<Thread> threads = new CopyOnWriteArrayList<>();
        private final ExecutorService executor = Executors.newThreadPerTaskExecutor(task -> {
            Thread thread = Thread.ofVirtual().unstarted(task);
            threads.add(thread);
            return thread;
        });

        <T> Future<T> submit(Callable<T> call) {
            return executor.submit(call);
        }

        void awaitAllWaiting() throws InterruptedException {
            awaitThat(() -> threads.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
        }

        @Override
        public void close() {
            executor.close();
        }
    }

    private static boolean fails(Future<Integer> caller) throws InterruptedException {
        try {
            caller.get();
            return false;
        } catch (ExecutionException failure) {
            assertThat(failure).hasCauseInstanceOf(StorageException.class);
            return true;
        }
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interruption) {
            throw new AssertionError(interruption);
        }
    }

    @Test
    void theWitnessSeesTheLastHeadOfEachAccountBeforeAnyoneIsAnswered() {
        Map<String, String> seen = new ConcurrentHashMap<>();
        AtomicInteger answered = new AtomicInteger();
        database.witness(heads -> {
            assertThat(answered).hasValue(0);
            seen.putAll(heads);
        });

        database.write("a", connection -> {
            connection.noteHead("a", "first");
            connection.noteHead("a", "last");
            return note(connection, 1);
        });
        answered.incrementAndGet();

        assertThat(seen).containsExactly(Map.entry("a", "last"));
        // The witness is not called for a group without heads.
        note(2, "two");
    }

    private static int note(StoreConnection connection, int id) throws SQLException {
        return insert(connection, id, "x");
    }

    @Test
    void theHeadOfAWorkThatIsUndoneIsForgotten() {
        List<Map<String, String>> seen = new CopyOnWriteArrayList<>();
        database.witness(seen::add);

        assertThatIllegalStateException()
                .isThrownBy(() -> database.<Integer>write("a", connection -> {
                    connection.noteHead("a", "undone");
                    throw new IllegalStateException();
                }));

        assertThat(seen).isEmpty();
    }

    /** A later work may read what the refused work wrote, so the witness must have seen the refused work too. */
    @Test
    void whatCouldNotBeWitnessedIsRefusedAndOwedUntilItCan() {
        AtomicBoolean broken = new AtomicBoolean(true);
        List<Map<String, String>> seen = new CopyOnWriteArrayList<>();
        database.witness(heads -> {
            if (broken.get()) {
                throw new IOException("no room");
            }
            seen.add(heads);
        });

        assertUnavailable(() -> database.write("a", connection -> {
            connection.noteHead("a", "first");
            return note(connection, 1);
        }));
        assertThat(database.isWritable()).isFalse();
        assertUnavailable(() -> note(2, "two"));

        broken.set(false);
        database.write("b", connection -> {
            connection.noteHead("b", "second");
            return note(connection, 3);
        });
        assertThat(database.isWritable()).isTrue();
        assertThat(seen.getLast()).containsEntry("b", "second");
        assertThat(seen.stream().flatMap(heads -> heads.keySet().stream())).contains("a");
        assertThat(notes()).isEqualTo(3);
    }

    @Test
    void anOwedHeadIsWitnessedThoughNobodyComes() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        database.witness(heads -> {
            if (calls.incrementAndGet() == 1) {
                throw new IOException("once");
            }
        });
        assertUnavailable(() -> database.write("a", connection -> {
            connection.noteHead("a", "first");
            return 0;
        }));

        awaitThat(database::isWritable);
    }

    @Test
    void theCheckOfConnectionsRunsAtOnceAndMayRefuse() {
        AtomicInteger found = new AtomicInteger(-1);
        note(1, "one");

        database.onConnect(connection -> found.set(count(connection)));

        assertThat(found).hasValue(1);
        StartupRefusal refusal = new StartupRefusal("set back", "stop");
        assertThatThrownBy(() -> database.onConnect(connection -> {
                    throw refusal;
                }))
                .isSameAs(refusal);
    }

    /**
     * An error of the Java machine may strike anywhere, so the group is undone. The state of its transaction is known.
     */
    @Test
    void aWorkThatExhaustsTheStackIsRefusedAndWritingGoesOn() {
        assertUnavailable(() -> database.<Integer>write(Database.NO_ACCOUNT, connection -> {
            insert(connection, 1, "one");
            throw new StackOverflowError("simulated");
        }));

        assertThat(database.isWritable()).isTrue();
        assertThat(note(1, "one")).isEqualTo(1);
    }

    /** One write serves all who ask, however many: health is public, and nobody without a key may cause writes. */
    @Test
    void triesOneWriteForAllWhoAskForItsHealth() throws Exception {
        long before = database.commits();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> asked = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                asked.add(threads.submit(database::isHealthy));
            }
            for (Future<Boolean> healthy : asked) {
                assertThat(healthy.get()).isTrue();
            }
        }
        assertThat(database.commits()).isEqualTo(before + 1);
    }

    @Test
    void isUnhealthyWhileAWorkIsStuck() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        assertUnhealthyUntil(
                over,
                () -> database.<Integer>write(Database.NO_ACCOUNT, connection -> {
                    await(over);
                    return 0;
                }));
    }

    @Test
    void isUnhealthyWhileTheWitnessIsStuck() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        database.witness(heads -> await(over));
        assertUnhealthyUntil(
                over,
                () -> database.write("a", connection -> {
                    connection.noteHead("a", "first");
                    return 0;
                }));
    }

    private void assertUnhealthyUntil(CountDownLatch over, Runnable stuck) throws Exception {
        assertThat(database.isHealthy()).isTrue();
        Thread caller = Thread.startVirtualThread(stuck);
        try {
            assertUnhealthyWithinFiveSeconds();
        } finally {
            over.countDown();
        }
        caller.join();
        awaitThat(database::isHealthy);
    }

    /** Asks as a supervisor does, again and again. */
    void assertUnhealthyWithinFiveSeconds() throws InterruptedException {
        assertUnhealthyWithinFiveSeconds(database);
    }

    static void assertUnhealthyWithinFiveSeconds(Database database) throws InterruptedException {
        long start = System.nanoTime();
        awaitThat(() -> !database.isHealthy());
        // The last question may have been asked just before.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(5_500));
    }

    @Test
    void worksOfOneGroupRunInTheOrderOfTheirAccounts() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch queued = new CountDownLatch(1);
        List<String> order = new CopyOnWriteArrayList<>();
        try (Callers threads = new Callers()) {
            threads.submit(() -> database.<Integer>write(Database.NO_ACCOUNT, connection -> {
                begun.countDown();
                await(queued);
                return 0;
            }));
            await(begun);
            for (String account : List.of("c", "a", "d", "b")) {
                threads.submit(() -> database.write(account, connection -> order.add(account)));
            }
            threads.awaitAllWaiting();
            queued.countDown();
        }
        assertThat(order).containsExactly("a", "b", "c", "d");
    }

    @Test
    void afterTheEndNothingIsWritten() throws SQLException {
        close();

        assertUnavailable(() -> note(1, "one"));
    }

    static void assertUnavailable(ThrowingCallable call) {
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, call);
    }
}
