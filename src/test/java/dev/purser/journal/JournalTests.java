package dev.purser.journal;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.Tampering;
import dev.purser.store.TestHomes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The journal on a table of notes, each with a text that decides something. */
class JournalTests {
    private static final Chain CHAIN = Chain.ofAccount("adult");

    private static final JournaledRows NOTES = new JournaledRows(
            "notes",
            Chain.Kind.ACCOUNT,
            "SELECT id, text FROM note WHERE ? = 'adult'",
            row -> note(row.getString(1), row.getString(2)));

    @TempDir
    Path folder;

    @AutoClose
    private Database database;

    private final Map<String, String> witnessed = new TreeMap<>();
    private final JournalCheck check = new JournalCheck(List.of(NOTES));

    private static JournaledRow note(String id, String text) {
        return new JournaledRow("note " + id, new CanonicalBytes().text(text));
    }

    @BeforeEach
    void openDatabase() throws SQLException {
        open();
        database.write(Database.NO_ACCOUNT, connection -> {
            connection.update("CREATE TABLE note (id TEXT PRIMARY KEY, text TEXT NOT NULL)");
            connection.update(
                    "INSERT INTO account VALUES ('adult', 'pure', 1, 0, 0, 0, 0, 0, 1, ?, NULL)", "0".repeat(64));
            return null;
        });
        check.begin(database);
        put("a", "one");
        put("b", "two");
        put("a", "three");
    }

    private void open() {
        database = new Database(TestHomes.at(folder));
        database.witness(witnessed::putAll);
    }

    private void put(String id, String text) {
        database.write(Database.NO_ACCOUNT, connection -> {
            connection.update(
                    "INSERT INTO note VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text", id, text);
            new Journal(connection).record(CHAIN, note(id, text));
            return null;
        });
    }

    private void require(String id, String text) {
        database.read(connection -> {
            new Journal(connection).require(note(id, text));
            return null;
        });
    }

    private void refuses(String id, String text, String how) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> require(id, text))
                .withMessageContaining("note " + id)
                .withMessageContaining(how)
                .matches(refusal -> refusal.type() == ProblemType.INTERNAL_ERROR);
    }

    private Map<String, Head> heads() {
        return database.read(connection -> new Journal(connection).heads());
    }

    private Head head() {
        return Objects.requireNonNull(heads().get(CHAIN.name()));
    }

    private @Nullable String lossOf(Head confirmed) {
        return database.write(
                Database.NO_ACCOUNT, connection -> check.lossOf(connection, Map.of(CHAIN.name(), confirmed)));
    }

    /** Changes the database as somebody does who has the database but not the home. */
    private void tamper(String... statements) throws SQLException {
        database.close();
        Tampering.tamper(folder, LedgerSettings.embedded(), statements);
        open();
    }

    private boolean areLatest(Map<String, Long> entries) {
        return database.readOne(connection -> new Journal(connection).areLatest(entries));
    }

    @Test
    void rowsAreUnchangedUntilOneOfThemHasALaterEntry() {
        assertThat(areLatest(Map.of("note a", 3L))).isTrue();
        assertThat(areLatest(Map.of("note a", 3L, "note b", 2L))).isTrue();
        assertThat(areLatest(Map.of("note a", 1L, "note b", 2L))).isFalse();
        assertThat(areLatest(Map.of("note a", 3L, "note c", 1L))).isFalse();
        assertThat(areLatest(Map.of("note a", 3L, "note c", 0L))).isTrue();
        put("b", "four");
        assertThat(areLatest(Map.of("note a", 3L))).isTrue();
        assertThat(areLatest(Map.of("note a", 3L, "note b", 2L))).isFalse();
        assertThatThrownBy(() -> areLatest(Map.of("note a", 3L, "note b", 4L, "note c", 0L)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLatestVersionOfARowIsTheOneThatCounts() {
        require("a", "three");
        require("b", "two");

        refuses("a", "one", "not what the journal recorded last");
        refuses("c", "one", "the journal has no entry of it");
        assertThat(check.fault(database)).isNull();
        assertThat(check.faultOfAccount(database, "adult")).isNull();
    }

    @Test
    void whatWasRecordedWasThere() {
        database.read(connection -> {
            new Journal(connection).requireNever("note c");
            return null;
        });
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> database.read(connection -> {
                    new Journal(connection).requireNever("note a");
                    return null;
                }))
                .withMessageContaining("note a");
    }

    @Test
    void everyEntryMovesItsHeadWhichIsWitnessed() {
        assertThat(head().sequence()).isEqualTo(3);
        assertThat(witnessed).containsEntry(CHAIN.name(), head().text());
        put("c", "four");
        assertThat(head().sequence()).isEqualTo(4);
        assertThat(witnessed).containsEntry(CHAIN.name(), head().text());
    }

    @Test
    void whatIsUndoneLeavesNothing() {
        Head before = head();
        assertThatThrownBy(() -> database.write(Database.NO_ACCOUNT, connection -> {
                    new Journal(connection).record(CHAIN, note("a", "undone"));
                    throw new IllegalStateException("undone");
                }))
                .hasMessage("undone");

        assertThat(head()).isEqualTo(before);
        put("a", "four");
        assertThat(check.fault(database)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE note SET text = 'one' WHERE id = 'a'",
                "DELETE FROM note WHERE id = 'b'",
                "INSERT INTO note VALUES ('c', 'two')",
                "DELETE FROM journal WHERE sequence = 2",
                "DELETE FROM journal WHERE sequence = 3",
                "DELETE FROM journal",
                "UPDATE journal SET content = (SELECT content FROM journal WHERE sequence = 1 AND object = 'note a')"
                        + " WHERE object = 'note a'",
                "UPDATE journal SET object = 'note b' WHERE sequence = 3",
                "UPDATE journal SET sequence = 4 WHERE sequence = 3",
                "UPDATE journal SET chain = 'other/decisions' WHERE sequence = 3",
                "INSERT INTO journal SELECT 'adult', 1, object, content, previous, code FROM journal"
                        + " WHERE sequence = 3",
                "INSERT INTO journal SELECT chain, 4, object, content, (SELECT code FROM journal WHERE sequence = 3),"
                        + " code FROM journal WHERE sequence = 1 AND object = 'note a'",
            })
    void whoeverHasTheDatabaseIsNoticed(String statement) throws SQLException {
        tamper(statement);
        assertThat(check.fault(database)).isNotNull();
    }

    /** There are as many rows as objects, and each row is recorded. */
    @Test
    void aRowThatIsThereTwiceIsNotCountedForAnother() throws SQLException {
        database.write(Database.NO_ACCOUNT, connection -> {
            connection.update("DROP TABLE note");
            connection.update("CREATE TABLE note (id TEXT, text TEXT)");
            connection.update("INSERT INTO note VALUES ('a', 'three'), ('b', 'two')");
            return null;
        });
        assertThat(check.fault(database)).isNull();
        tamper("UPDATE note SET id = 'a', text = 'three'");
        assertThat(check.fault(database)).contains("adult/decisions").contains("there twice");
        tamper("UPDATE note SET id = 'b', text = 'two' WHERE rowid = 1", "INSERT INTO note VALUES ('b', 'two')");
        assertThat(check.fault(database)).contains("adult/decisions").contains("there twice");
    }

    /** If rows were only counted, two copies of one row would make up for one missing copy of another row. */
    @Test
    void aRowBelongsToTheChainThatRecordsIt() throws SQLException {
        tamper("INSERT INTO account VALUES ('other', 'pure', 1, 0, 0, 0, 0, 0, 1, '" + "0".repeat(64) + "', NULL)");
        JournalCheck moved = new JournalCheck(List.of(new JournaledRows(
                "notes",
                Chain.Kind.ACCOUNT,
                "SELECT id, text FROM note WHERE ? = 'other'",
                row -> note(row.getString(1), row.getString(2)))));
        assertThat(moved.faultOfAccount(database, "other"))
                .contains("note ")
                .contains("its entry is in the chain adult/decisions");
    }

    /**
     * The last entry is removed and its row is put back: the whole database, also its head, is as it was one entry
     * earlier.
     */
    @Test
    void anOlderStateAsAWholeLacksTheConfirmedHead() throws SQLException {
        Head confirmed = head();
        tamper("UPDATE note SET text = 'one' WHERE id = 'a'", "DELETE FROM journal WHERE sequence = 3");

        assertThat(check.fault(database)).isNull();
        assertThat(lossOf(confirmed)).contains("adult/decisions").contains("entry 3");
        assertThat(lossOf(head())).isNull();
    }

    @Test
    void aRunningServiceNoticesThatAChainWasSetBack() throws SQLException {
        Tampering.tamper(folder, LedgerSettings.embedded(), "DELETE FROM journal WHERE sequence = 3");
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> put("a", "five"))
                .withMessageContaining("adult/decisions");
    }

    /**
     * Somebody hides the first content while the object is decided again, and then puts it back. The chain is whole,
     * and has two answers.
     */
    @ParameterizedTest
    @ValueSource(strings = {"answer x", "refinement of x"})
    void whatIsDecidedOnceHasNoSecondContent(String object) throws SQLException {
        JournaledRow first = new JournaledRow(object, new CanonicalBytes().text("one"));
        JournaledRow second = new JournaledRow(object, new CanonicalBytes().text("two"));
        for (JournaledRow each : List.of(first, second)) {
            database.write(Database.NO_ACCOUNT, connection -> {
                new Journal(connection).record(CHAIN, each);
                return null;
            });
        }
        assertThat(check.fault(database)).contains(object + " was recorded twice");
    }

    @Test
    void aLossThatIsAcceptedIsNoGap() throws SQLException {
        Head lost = new Head(9, "f".repeat(64));
        List<String> said = database.write(
                Database.NO_ACCOUNT, connection -> check.acceptLosses(connection, Map.of(CHAIN.name(), lost)));

        assertThat(said).singleElement().asString().contains("adult/decisions");
        assertThat(head().sequence()).isEqualTo(10);
        put("c", "after");
        assertThat(check.fault(database)).isNull();
        assertThat(lossOf(head())).isNull();
    }

    /** If a chain of sessions lost steps, its sessions end and the chain goes on. */
    @Test
    void aLossOfStepsEndsSessions() {
        List<String> ended = new ArrayList<>();
        JournalCheck sessions = new JournalCheck(List.of(new JournaledRows(
                "sessions",
                Chain.Kind.SESSIONS,
                "SELECT ''",
                (connection, row) -> note("", ""),
                (connection, owner) -> {
                    ended.add(owner);
                    return 1;
                })));
        Map<String, Head> confirmed = Map.of("adult/sessions", new Head(5, "f".repeat(64)));

        String loss = database.write("", connection -> sessions.lossOf(connection, confirmed));
        assertThat(loss).isNull();

        assertThat(ended).containsExactly("adult");
        assertThat(heads().get("adult/sessions"))
                .satisfies(head -> assertThat(head.sequence()).isEqualTo(6));
    }

    @Test
    void anotherKeyAcceptsNothing() throws Exception {
        database.close();
        Files.delete(folder.resolve("journal.key"));
        open();

        refuses("a", "three", "was not made with this key");
        assertThat(check.fault(database)).contains("was not made with this key");
    }
}
