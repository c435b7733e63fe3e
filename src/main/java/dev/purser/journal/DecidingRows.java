package dev.purser.journal;

import dev.purser.digest.Sha256;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table whose rows decide something. Its columns are declared once, in the order in which the journal records them.
 * The statements and the recorded content follow from the declaration.
 *
 * <p><b>Guarantee.</b> A row is handed out only if it is the version that the journal recorded last. What is written is
 * recorded in the same transaction. A change replaces the version that it was computed from, and no other.
 *
 * <p><b>Why a change is safe.</b> One statement reads the row with its latest entry, and the two are compared. The
 * update has the condition that each column that changes is still as it was read. It waits for an instance that is
 * changing the row, and then sees what that instance committed. So the update replaces the compared version, or
 * nothing. If it replaced nothing, the row is read again. What is recorded is computed from the compared row, and not
 * from a second read. If somebody changed a fixed column between the two statements, the row is not what was recorded,
 * and is refused from then on.
 *
 * @param <T> a row
 */
public final class DecidingRows<T> {
    final String table;
    private final String object;
    final List<Column<T>> columns;
    private final int keys;
    private final StoreConnection.RowReader<T> reader;
    private final String select;
    private final String lookup;
    private final String insert;
    private final String update;

    /**
     * Declares a table.
     *
     * @param object how the journal names a row, with a place for each key: {@code step %2$s of session %1$s}
     * @param reader makes a row from the declared columns, whose positions begin at 1
     * @param besides further columns that are inserted with a row, and recorded elsewhere or not at all
     * @param columns the columns in their order, the keys first
     */
    public DecidingRows(
            String table,
            String object,
            StoreConnection.RowReader<T> reader,
            List<String> besides,
            List<Column<T>> columns) {
        this.table = table;
        this.object = object;
        this.columns = columns;
        this.keys = (int) columns.stream().filter(Column::isKey).count();
        this.reader = reader;
        String names = joined("r.%s", ", ", each -> true);
        String key = joined("r.%s = ?", " AND ", Column::isKey);
        String inserted = Stream.concat(columns.stream().map(Column::name), besides.stream())
                .collect(Collectors.joining(", "));
        select = "SELECT " + names + " FROM " + table + " r ";
        lookup = Journal.lookup(names, table + " r ON " + key);
        insert = "INSERT INTO " + table + " (" + inserted + ") VALUES (?"
                + inserted.replaceAll("[^,]+", "?").substring(1) + ") ON CONFLICT DO NOTHING";
        update = "UPDATE " + table + " AS r SET " + joined("%s = ?", ", ", Column::isChanging) + " WHERE " + key
                + " AND " + joined("r.%s IS NOT DISTINCT FROM ?", " AND ", Column::isChanging);
    }

    /** How a column is recorded. */
    public enum Form {
        /** A text, or a number in decimal. */
        TEXT,
        /** A number that is 1 or 0, recorded as true or false. Another number differs from what was recorded. */
        FLAG,
        /** Bytes, recorded as they are. */
        BYTES,
        /** Bytes of any length, recorded by their SHA-256. */
        CONTENT
    }

    /**
     * A column. Key columns are recorded only in the name of the object.
     *
     * @param value the value in a row: text, a number, bytes, an instant, a truth value or null
     */
    public record Column<T>(
            String name, Form form, Function<T, @Nullable Object> value, boolean isKey, boolean isChanging) {
        public static <T> Column<T> key(String name, Function<T, @Nullable Object> value) {
            return new Column<>(name, Form.TEXT, value, true, false);
        }

        /** A column that never changes. */
        public static <T> Column<T> fixed(Form form, String name, Function<T, @Nullable Object> value) {
            return new Column<>(name, form, value, false, false);
        }

        /** A column that a change writes. */
        public static <T> Column<T> changing(Form form, String name, Function<T, @Nullable Object> value) {
            return new Column<>(name, form, value, false, true);
        }

        private @Nullable Object stored(T row) {
            return switch (value.apply(row)) {
                case Instant at -> at.toEpochMilli();
                case Boolean flag -> flag ? 1 : 0;
                case null -> null;
                case Object other -> other;
            };
        }

        private void record(@Nullable Object stored, CanonicalBytes content) {
            switch (form) {
                case TEXT -> content.text(stored == null ? null : stored.toString());
                case FLAG ->
                    content.text(
                            switch (String.valueOf(stored)) {
                                case "1" -> "true";
                                case "0" -> "false";
                                default -> null;
                            });
                case BYTES -> content.bytes((byte[]) stored);
                case CONTENT -> content.bytes(stored == null ? null : Sha256.of((byte[]) stored));
            }
        }
    }

    /** A row with the chain and the number of its latest entry. */
    public record Version<T>(T row, Chain chain, long entry) {}

    private String joined(String each, String delimiter, Predicate<Column<T>> which) {
        return columns.stream()
                .filter(which)
                .map(column -> each.formatted(column.name()))
                .collect(Collectors.joining(delimiter));
    }

    /** A statement for {@link #all}. In {@code rest} the table has the name {@code r}. */
    public String select(String rest) {
        return select + rest;
    }

    /** How the journal names the row with this key. */
    public String object(@Nullable Object... key) {
        return object.formatted(key);
    }

    /**
     * The row with this key; empty if there never was one.
     *
     * @throws ProblemException {@code internal-error} if the row is not what the journal recorded last, or was removed
     */
    public Optional<T> find(StoreConnection connection, Object... key) throws SQLException {
        return version(connection, key).map(Version::row);
    }

    /** As {@link #find}, with its place in the journal. */
    public Optional<Version<T>> version(StoreConnection connection, Object... key) throws SQLException {
        String name = object(key);
        return connection
                .first(
                        lookup,
                        row -> {
                            JournaledRow present = row.getString(1) == null ? null : recorded(row);
                            Journal.Entry last = new Journal(connection).requireLast(name, present, row);
                            return present == null || last == null
                                    ? Optional.<Version<T>>empty()
                                    : Optional.of(new Version<>(reader.read(row), last.inChain(), last.sequence()));
                        },
                        Stream.concat(Stream.of(key), Stream.of(name)).toArray())
                .orElseThrow();
    }

    /**
     * The rows of a {@link #select statement}, in its order. Their entries are read after them. The writer on
     * PostgreSQL may then see what another instance committed in between. So a row that differs from its entry is read
     * again in one statement with its entry. The list has that row, or no row if it is gone.
     *
     * @throws ProblemException {@code internal-error} if a row is not what the journal recorded last
     */
    public List<T> all(StoreConnection connection, String select, @Nullable Object... values) throws SQLException {
        return connection
                .all(
                        select,
                        row -> new Journal(connection).faultOf(null, recorded(row)) == null
                                ? Optional.of(reader.read(row))
                                : find(connection, key(row)),
                        values)
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    private Object[] key(ResultSet row) throws SQLException {
        Object[] key = new Object[keys];
        for (int i = 0; i < keys; i++) {
            key[i] = row.getObject(i + 1);
        }
        return key;
    }

    /**
     * Inserts and records a row. The key has to be new, or {@link #find} found no row in this transaction.
     *
     * @param besides the values of the further columns
     * @throws ProblemException {@code temporarily-unavailable} if another instance was first
     */
    public void insert(StoreConnection connection, Chain chain, T row, @Nullable Object... besides)
            throws SQLException {
        @Nullable Object[] stored = stored(row, each -> true);
        if (connection.update(insert, joined(stored, besides)) == 0) {
            connection.runAgain();
            throw ProblemException.of(
                    ProblemType.TEMPORARILY_UNAVAILABLE, "another request was first; send the request again");
        }
        new Journal(connection).record(chain, recorded(stored));
    }

    /**
     * Changes a row, as the class describes. The change is tried again as long as other instances change the row.
     *
     * @param change makes the new row; null to leave the row as it is
     * @return the changed row; empty if there is no row, or it was not changed
     * @throws ProblemException {@code internal-error} if the database drops the change
     */
    public Optional<Version<T>> change(StoreConnection connection, Function<T, @Nullable T> change, Object... key)
            throws SQLException {
        long tried = 0;
        while (true) {
            Version<T> now = version(connection, key).orElse(null);
            T to = now == null ? null : change.apply(now.row());
            if (now == null || to == null) {
                return Optional.empty();
            }
            if (now.entry() == tried) {
                throw ChangedRow.refused(object(key), "the database drops a change of it");
            }
            tried = now.entry();
            if (connection.update(
                            update, joined(stored(to, Column::isChanging), key, stored(now.row(), Column::isChanging)))
                    == 1) {
                long entry = new Journal(connection).record(now.chain(), recorded(stored(to, each -> true)));
                return Optional.of(new Version<>(to, now.chain(), entry));
            }
        }
    }

    private static @Nullable Object[] joined(@Nullable Object[]... values) {
        return Stream.of(values).flatMap(Stream::of).toArray();
    }

    private @Nullable Object[] stored(T row, Predicate<Column<T>> which) {
        return columns.stream().filter(which).map(each -> each.stored(row)).toArray();
    }

    private JournaledRow recorded(ResultSet row) throws SQLException {
        @Nullable Object[] stored = new Object[columns.size()];
        for (int i = 0; i < stored.length; i++) {
            Form form = columns.get(i).form();
            stored[i] = form == Form.TEXT || form == Form.FLAG ? row.getString(i + 1) : row.getBytes(i + 1);
        }
        return recorded(stored);
    }

    private JournaledRow recorded(@Nullable Object... stored) {
        CanonicalBytes content = new CanonicalBytes();
        for (int i = keys; i < stored.length; i++) {
            columns.get(i).record(stored[i], content);
        }
        return new JournaledRow(object(stored), content);
    }

    /**
     * The rows as the start compares them with the journal.
     *
     * @param name what the rows are, in the plural
     * @param ofChain selects the rows of a chain; its one parameter is the chain's owner: {@code WHERE r.account = ?}
     */
    public JournaledRows journaled(String name, Chain.Kind kind, String ofChain, JournaledRows.Ending ending) {
        return new JournaledRows(name, kind, select(ofChain), (_, row) -> recorded(row), ending);
    }
}
