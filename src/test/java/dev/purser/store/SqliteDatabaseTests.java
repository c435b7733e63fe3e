package dev.purser.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.purser.store.Awaited.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

class SqliteDatabaseTests extends DatabaseContract {
    @Override
    Database open() {
        return new Database(new PurserHome(folder));
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

    /**
     * A killed process may leave commits in the log that were written but not fsynced. Before it answers from them, the
     * next process copies them into the database file, which is fsynced. The files of a running database stand for what
     * a killed process leaves.
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
                assertThat(count(StoreConnections.over(alone))).isEqualTo(1);
            }
            assertThat(next.<Integer>read(DatabaseContract::count)).isEqualTo(1);
        }
    }

    /** The committed debit would be lost when this process ends, and its budget could be spent again. */
    @ParameterizedTest
    @ValueSource(strings = {"ledger.db", "ledger.db-wal"})
    void nobodyIsAnsweredFromAFileThatIsGone(String name) throws Exception {
        note(1, "one");
        Files.delete(folder.resolve(name));

        assertUnavailable(() -> note(2, "two"));
        assertUnavailable(() -> note(3, "three"));
        assertThat(database.isHealthy()).isFalse();
    }

    /** Opening the database again would create an empty database. */
    @Test
    void aFileThatIsGoneIsMissedWhileNobodyWritesAndNotCreatedAgain() throws Exception {
        note(1, "one");
        Files.delete(folder.resolve("ledger.db"));

        awaitThat(() -> !database.isWritable());
        Thread.sleep(1_200);

        assertThat(folder.resolve("ledger.db")).doesNotExist();
        assertThat(database.isWritable()).isFalse();
    }

    @Test
    void isUnhealthyOnceTheFileIsReplacedThoughNobodyWrites() throws Exception {
        assertThat(database.isHealthy()).isTrue();
        Path copy = Files.copy(folder.resolve("ledger.db"), folder.resolve("copy"));
        Files.move(copy, folder.resolve("ledger.db"), StandardCopyOption.REPLACE_EXISTING);

        assertUnhealthyWithinFiveSeconds();
        assertUnavailable(() -> note(1, "one"));
    }

    /** Even so small a change is flushed to the disk. */
    @Test
    void theWriteForHealthIsFlushed() throws IOException {
        Path log = folder.resolve("ledger.db-wal");
        long before = Files.size(log);

        assertThat(database.isHealthy()).isTrue();

        assertThat(Files.size(log)).isGreaterThan(before);
    }

    /** Only root can mount a small file system. */
    @Test
    void isUnhealthyWhileTheDiskIsFull() throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", small.toString()))
                .as("may mount")
                .isZero();
        try (Database full = new Database(new PurserHome(small.resolve("home")))) {
            assertThat(full.isHealthy()).isTrue();
            assertThatThrownBy(() -> Files.write(small.resolve("ballast"), new byte[8 << 20]))
                    .hasMessageContaining("space");
            assertUnhealthyWithinFiveSeconds(full);

            Files.delete(small.resolve("ballast"));
            awaitThat(full::isHealthy);
        } finally {
            run("umount", small.toString());
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    /** SQLITE_FULL as on a full disk, caused by the database's own size limit. */
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

    /** A pragma of the writer's own connection. */
    private String pragma(String name) {
        return database.write(
                Database.NO_ACCOUNT,
                connection -> connection
                        .first("PRAGMA " + name, row -> row.getString(1))
                        .orElseThrow());
    }

    @Override
    void forgetTheNewerRelease() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("ledger.db"));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM flyway_schema_history WHERE version = '99'");
        }
    }
}
