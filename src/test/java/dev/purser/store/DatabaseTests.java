package dev.purser.store;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DatabaseTests {
    @TempDir
    Path folder;

    private Database database;

    @BeforeEach
    void open() {
        database = new Database(new PurserHome(folder));
        write("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
    }

    @AfterEach
    void close() throws SQLException {
        database.close();
    }

    private int write(String sql) {
        return database.write(Database.NO_ACCOUNT, transaction -> transaction.update(sql));
    }

    private int note(int id, String text) {
        return database.write(Database.NO_ACCOUNT, transaction -> insert(transaction, id, text));
    }

    private static int insert(Session transaction, int id, String text) throws SQLException {
        return transaction.update("INSERT INTO note VALUES (?, ?)", id, text);
    }

    private int notes() {
        return database.read(DatabaseTests::count);
    }

    private static int count(Session session) throws SQLException {
        return session.first("SELECT count(*) FROM note", row -> row.getInt(1)).orElseThrow();
    }

    /** Of the writer's own connection. */
    private String pragma(String name) {
        return database.write(
                Database.NO_ACCOUNT,
                session ->
                        session.first("PRAGMA " + name, row -> row.getString(1)).orElseThrow());
    }

    @Test
    void writesWithTheSettingsThatDurabilityRestsOn() {
        assertThat(pragma("journal_mode")).isEqualTo("wal");
        assertThat(pragma("synchronous")).isEqualTo("2");
        assertThat(pragma("foreign_keys")).isEqualTo("1");
    }

    @Test
    void refusesSettingsThatWouldLoseAcknowledgedWrites() throws SQLException {
        String url = "jdbc:sqlite:" + folder.resolve("other.db");
        for (String settings : List.of("journal_mode=WAL&synchronous=NORMAL", "journal_mode=DELETE&synchronous=FULL")) {
            try (Connection connection = DriverManager.getConnection(url + "?foreign_keys=on&" + settings)) {
                assertThatExceptionOfType(StartupRefusal.class)
                        .isThrownBy(() -> Sqlite.requireDurable(connection))
                        .withMessageContaining("would not be durable");
            }
        }
    }

    @Test
    void isOpenedByOneProcessOnly() throws Exception {
        assertThat(outputOfASecondProcess()).startsWith("refused: Another Purser is already running on " + folder);

        close();
        assertThat(outputOfASecondProcess()).isEqualTo("opened true");
        reopen();
    }

    /** On POSIX, closing a second descriptor of a locked file drops the process's lock. */
    @Test
    void aSecondAttemptFromInsideLeavesTheLockInPlace() throws Exception {
        assertThatExceptionOfType(StartupRefusal.class).isThrownBy(() -> new Database(new PurserHome(folder)));

        assertThat(outputOfASecondProcess()).startsWith("refused: Another Purser is already running on " + folder);
    }

    private String outputOfASecondProcess() throws Exception {
        Process second = ChildJvm.start(OpenDatabase.class, folder);
        String output = new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(second.waitFor()).isZero();
        return output.strip();
    }

    private void reopen() {
        database = new Database(new PurserHome(folder));
    }

    @Test
    void readsWhatWasWrittenAndKeepsItOverARestart() throws SQLException {
        note(1, "one");
        assertThat(notes()).isEqualTo(1);

        close();
        reopen();

        assertThat(notes()).isEqualTo(1);
    }

    /**
     * A killed process may leave commits in the log that were written but not fsynced. The next one copies them into the
     * database file, which is fsynced, before it answers from them. The files of a running database stand for what is left.
     */
    @Test
    void whatAKilledProcessLeftInTheLogIsInTheFileBeforeTheFirstAnswer() throws Exception {
        note(1, "one");
        Path left = Files.createDirectory(folder.resolve("left"));
        Files.copy(folder.resolve("ledger.db"), left.resolve("ledger.db"));
        Files.copy(folder.resolve("ledger.db-wal"), left.resolve("ledger.db-wal"));

        try (Database next = new Database(new PurserHome(left))) {
            Path file = Files.copy(left.resolve("ledger.db"), folder.resolve("file-alone.db"));
            try (Connection alone = DriverManager.getConnection("jdbc:sqlite:" + file)) {
                assertThat(count(Sessions.over(alone))).isEqualTo(1);
            }
            assertThat(next.<Integer>read(DatabaseTests::count)).isEqualTo(1);
        }
    }

    @Test
    void aDatabaseOfANewerReleaseIsRefused() throws SQLException {
        write(
                "INSERT INTO flyway_schema_history SELECT 99, '99', 'newer', type, 'V99__newer.sql', checksum, installed_by,"
                        + " installed_on, execution_time, success FROM flyway_schema_history WHERE version = '1'");
        close();

        assertThatExceptionOfType(StartupRefusal.class).isThrownBy(this::reopen);

        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("ledger.db"));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM flyway_schema_history WHERE version = '99'");
        }
        reopen();
    }

    /** A parameter left over from the last user would be written in the place of a forgotten one. */
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
        CountDownLatch queued = new CountDownLatch(1);
        List<Future<Integer>> callers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> first = threads.submit(() -> database.<Integer>write(Database.NO_ACCOUNT, transaction -> {
                await(queued);
                return 0;
            }));
            long before = database.commits();
            for (int i = 0; i < 100; i++) {
                int id = i;
                callers.add(threads.submit(() -> id % 10 == 3 ? note(id, "dup") + note(id, "dup") : note(id, "x")));
            }
            Thread.sleep(200);
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

    private static boolean fails(Future<Integer> caller) throws InterruptedException {
        try {
            caller.get();
            return false;
        } catch (ExecutionException failure) {
            assertThat(failure).hasCauseInstanceOf(StorageException.class);
            return true;
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interruption) {
            throw new AssertionError(interruption);
        }
    }

    /** SQLITE_FULL as a full disk gives it, by the database's own size limit. */
    @Test
    void aFullDiskRefusesWritesUntilThereIsRoomAgain() {
        note(1, "one");
        int pages = Integer.parseInt(pragma("page_count"));
        pragma("max_page_count = " + (pages + 2));

        assertUnavailable(() -> note(2, "x".repeat(100_000)));
        assertThat(notes()).isEqualTo(1);
        assertThat(database.isWritable()).isTrue();

        pragma("max_page_count = 1000000");
        note(2, "x".repeat(100_000));
        assertThat(notes()).isEqualTo(2);
    }

    @Test
    void afterTheEndNothingIsWritten() throws SQLException {
        close();

        assertUnavailable(() -> note(1, "one"));
    }

    private static void assertUnavailable(ThrowingCallable call) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(call)
                .satisfies(problem -> assertThat(problem.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE));
    }
}
