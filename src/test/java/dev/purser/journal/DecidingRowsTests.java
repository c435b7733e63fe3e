package dev.purser.journal;

import dev.purser.digest.Sha256;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.StoreConnection;
import dev.purser.store.TestHomes;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.journal.DecidingRows.Column.changing;
import static dev.purser.journal.DecidingRows.Column.fixed;
import static dev.purser.journal.DecidingRows.Column.key;
import static dev.purser.journal.DecidingRows.Form.BYTES;
import static dev.purser.journal.DecidingRows.Form.CONTENT;
import static dev.purser.journal.DecidingRows.Form.FLAG;
import static dev.purser.journal.DecidingRows.Form.TEXT;
import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

class DecidingRowsTests {
    private static final Chain CHAIN = Chain.ofAccount("adult");
    private static final byte[] BODY = {1, 2, 3};
    private static final Note NOTE = new Note("a", 7, Instant.ofEpochMilli(5), true, new byte[] {9}, BODY, null);

    private static final DecidingRows<Note> NOTES = new DecidingRows<>(
            "note",
            "note %2$s of %1$s",
            row -> new Note(
                    row.getString(1),
                    row.getLong(2),
                    Instant.ofEpochMilli(row.getLong(3)),
                    row.getInt(4) == 1,
                    row.getBytes(5),
                    row.getBytes(6),
                    row.getString(7)),
            List.of("remark"),
            List.of(
                    key("holder", Note::holder),
                    key("number", Note::number),
                    fixed(TEXT, "at_millis", Note::at),
                    changing(FLAG, "is_open", Note::isOpen),
                    fixed(BYTES, "tag", Note::tag),
                    fixed(CONTENT, "body", Note::body),
                    changing(TEXT, "text", Note::text)));

    @TempDir
    Path folder;

    @AutoClose
    private Database database;

    private record Note(
            String holder,
            long number,
            Instant at,
            boolean isOpen,
            byte[] tag,
            byte[] body,
            @Nullable String text) {
        Note saying(String said) {
            return new Note(holder, number, at, false, tag, body, text == null ? said : text + said);
        }
    }

    @BeforeEach
    void insert() {
        database = new Database(TestHomes.at(folder));
        database.write(Database.NO_ACCOUNT, connection -> {
            connection.update("CREATE TABLE note (holder TEXT, number INTEGER, remark TEXT, at_millis INTEGER,"
                    + " is_open INTEGER, tag BLOB, body BLOB, text TEXT, PRIMARY KEY (holder, number)) STRICT");
            NOTES.insert(connection, CHAIN, NOTE, "seen");
            return null;
        });
    }

    private static @Nullable String text(StoreConnection connection) throws SQLException {
        return NOTES.find(connection, "a", 7).orElseThrow().text();
    }

    /** Earlier records have this form, so nothing of the form may change. */
    @Test
    void recordsTheColumnsInTheirOrder() {
        JournaledRow recorded = new JournaledRow(
                "note 7 of a",
                new CanonicalBytes()
                        .text("5")
                        .text("true")
                        .bytes(new byte[] {9})
                        .bytes(Sha256.of(BODY))
                        .text(null));

        assertThat(database.<Boolean>read(connection -> {
                    new Journal(connection).require(recorded);
                    return NOTES.find(connection, "a", 7).orElseThrow().isOpen();
                }))
                .isTrue();
        assertThat(database.<Optional<Note>>read(connection -> NOTES.find(connection, "b", 7)))
                .isEmpty();
    }

    /** The second change is made from the first change's row, not from the row that the first change replaced. */
    @Test
    void ofTwoChangesEachReplacesWhatItWasMadeOf() {
        String text = database.write(Database.NO_ACCOUNT, connection -> {
            boolean[] isFirst = {true};
            NOTES.change(
                    connection,
                    now -> {
                        if (isFirst[0]) {
                            isFirst[0] = false;
                            meanwhile(() -> NOTES.change(connection, first -> first.saying("first"), "a", 7));
                        }
                        return now.saying("second");
                    },
                    "a",
                    7);
            return text(connection);
        });
        assertThat(text).isEqualTo("firstsecond");
    }

    private static void meanwhile(ThrowingCallable work) {
        assertThatCode(work).doesNotThrowAnyException();
    }

    /** Somebody else changes a column that no change writes. */
    @Test
    void whatIsChangedMeanwhileIsNotRecorded() {
        database.write(Database.NO_ACCOUNT, connection -> {
            NOTES.change(
                    connection,
                    now -> {
                        meanwhile(() -> connection.update("UPDATE note SET at_millis = 6"));
                        return now.saying("more");
                    },
                    "a",
                    7);
            return null;
        });
        ChangedRows.refused("note 7 of a", () -> database.read(connection -> text(connection)));
    }

    /** SQLite reads the text "true" as the number 0. */
    @Test
    void whatIsRecordedOfAFlagIsNoFlag() {
        another("'true'", "is_open");
        ChangedRows.refused("note 7 of a", () -> database.read(connection -> text(connection)));
    }

    /** Somebody makes a database in which another key is equal to the requested key. */
    @Test
    void aRowOfAnotherKeyIsRefused() {
        another("'A'", "holder");
        ChangedRows.refused("note 7 of a", () -> database.read(connection -> text(connection)));
    }

    /** A row of another key is also not the row that the entry of a key records. */
    @Test
    void anEntryOfAnotherKeyCountsForNoRow() {
        another("'A'", "holder");
        database.write(Database.NO_ACCOUNT, connection -> {
            connection.update(
                    "CREATE TABLE other (chain, sequence, object TEXT COLLATE NOCASE, content, previous," + " code)");
            connection.update("INSERT INTO other SELECT * FROM journal");
            connection.update("DROP TABLE journal");
            connection.update("ALTER TABLE other RENAME TO journal");
            return null;
        });
        ChangedRows.refused("note 7 of A", () -> database.read(connection -> NOTES.all(connection, NOTES.select(""))));
    }

    /** Somebody makes a table that takes any value, and in which texts are equal if they differ only in case. */
    private void another(String value, String column) {
        database.write(Database.NO_ACCOUNT, connection -> {
            connection.update("CREATE TABLE other (holder TEXT COLLATE NOCASE, number, remark, at_millis, is_open, tag,"
                    + " body, text)");
            connection.update("INSERT INTO other SELECT * FROM note");
            connection.update("UPDATE other SET " + column + " = " + value);
            connection.update("DROP TABLE note");
            connection.update("ALTER TABLE other RENAME TO note");
            return null;
        });
    }

    /** Without the refusal, the change would be tried for ever, and nobody else would write. */
    @Test
    void aChangeThatTheDatabaseDropsIsRefused() {
        dropped("UPDATE ON note");
        ChangedRows.refused("note 7 of a", () -> saidInTime("more"));
    }

    @Test
    void anEntryThatTheDatabaseDropsIsRefused() {
        dropped("INSERT ON journal");
        ChangedRows.refused("the chain " + CHAIN, () -> saidInTime("more"));
    }

    private void dropped(String what) {
        database.write(Database.NO_ACCOUNT, connection -> {
            connection.update("CREATE TRIGGER dropped BEFORE " + what + " BEGIN SELECT RAISE(IGNORE); END");
            return null;
        });
    }

    private void saidInTime(String text) {
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> database.write(
                        Database.NO_ACCOUNT, connection -> NOTES.change(connection, now -> now.saying(text), "a", 7)));
    }

    @Test
    void whatIsLeftIsNotWritten() {
        database.write(Database.NO_ACCOUNT, connection -> {
            assertThat(NOTES.change(connection, now -> null, "a", 7)).isEmpty();
            assertThat(NOTES.change(connection, now -> now, "a", 8)).isEmpty();
            return null;
        });
        assertThat(database.<Long>read(connection ->
                        NOTES.version(connection, "a", 7).orElseThrow().entry()))
                .isEqualTo(1);
    }

    @Test
    void aKeyThatIsTakenIsRefused() {
        refusedAs(
                ProblemType.TEMPORARILY_UNAVAILABLE,
                () -> database.write(Database.NO_ACCOUNT, connection -> {
                    NOTES.insert(connection, CHAIN, NOTE.saying("again"), "seen");
                    return null;
                }));
        assertThat(NOTE.text()).isEqualTo(database.<@Nullable String>read(connection -> text(connection)));
    }
}
