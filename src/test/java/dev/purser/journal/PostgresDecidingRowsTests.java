package dev.purser.journal;

import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.journal.DecidingRows.Column.changing;
import static dev.purser.journal.DecidingRows.Column.key;
import static dev.purser.journal.DecidingRows.Form.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

/** Two instances on one PostgreSQL, where each statement of a writer sees what others committed before it. */
class PostgresDecidingRowsTests {
    @TempDir
    Path folder;

    /** Runs each time after the first note was read. */
    private Runnable meanwhile = () -> {};

    private final DecidingRows<Note> notes = new DecidingRows<>(
            "note",
            "note %2$s of %1$s",
            row -> {
                if (row.getLong(2) == 1) {
                    meanwhile.run();
                }
                return new Note(row.getString(1), row.getLong(2), row.getString(3));
            },
            List.of(),
            List.of(key("holder", Note::holder), key("number", Note::number), changing(TEXT, "text", Note::text)));

    private record Note(String holder, long number, String text) {}

    /**
     * The second note changes after its row was read and before its entry is read, each time that the work is run
     * again.
     */
    @Tag("full")
    @Test
    void aRowThatAnotherInstanceChangesWhileItIsListedIsNotRefused() throws SQLException {
        LedgerSettings settings = PostgresServer.shared().newDatabase();
        try (Database database = new Database(new PurserHome(folder.resolve("one")), settings);
                Database other = new Database(new PurserHome(folder.resolve("two")), settings)) {
            database.write(Database.NO_ACCOUNT, connection -> {
                connection.update(
                        "CREATE TABLE note (holder TEXT, number BIGINT, text TEXT, PRIMARY KEY (holder, number))");
                notes.insert(connection, Chain.ACCESS, new Note("a", 1, "first"));
                notes.insert(connection, Chain.ACCESS, new Note("a", 2, "second"));
                return null;
            });
            meanwhile = () -> other.write(
                    Database.NO_ACCOUNT,
                    connection -> notes.change(
                            connection, now -> new Note(now.holder(), now.number(), now.text() + "!"), "a", 2L));

            List<Note> listed = database.write(
                    Database.NO_ACCOUNT, connection -> notes.all(connection, notes.select("ORDER BY r.number")));

            assertThat(listed).containsExactly(new Note("a", 1, "first"), new Note("a", 2, "second!"));
        }
    }
}
