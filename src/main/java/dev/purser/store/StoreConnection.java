package dev.purser.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs all SQL of the ledger on one connection. A statement is prepared once and kept: SQLite compiles it together with
 * every trigger and constraint it touches, which takes longer than running it.
 *
 * <p>The statements are constants of the program, so there are few. No statement is built from a request. A row reader
 * must not run the statement that it is reading from. Not thread-safe.
 */
public final class StoreConnection {
    /** Makes a value from the current row. */
    @FunctionalInterface
    public interface RowReader<T extends @Nullable Object> {
        T read(ResultSet row) throws SQLException;
    }

    /** Receives rows one by one. */
    @FunctionalInterface
    public interface RowVisitor {
        void visit(ResultSet row) throws SQLException;
    }

    private final Connection connection;
    private final MacKey key;

    /** @param parameters the number of values in its first run */
    private record Prepared(PreparedStatement statement, int parameters, boolean changes) {}

    private final Map<String, Prepared> prepared = new HashMap<>();

    private final Map<Class<?>, Object> kept = new HashMap<>();

    private final Map<String, String> heads = new HashMap<>();
    private final Map<String, String> headsOfThisWork = new HashMap<>();
    private final Map<String, String> committedHeads = new HashMap<>();
    private boolean lastRun = true;
    private boolean changed;
    private boolean failed;

    StoreConnection(Connection connection, MacKey key) {
        this.connection = connection;
        this.key = key;
    }

    /** The key of the home, for codes of stored rows. */
    public MacKey key() {
        return key;
    }

    /** What a module remembers of the rows that it read on this connection. It is kept as long as the connection. */
    public <T> T kept(Class<T> type, Supplier<T> first) {
        return type.cast(kept.computeIfAbsent(type, _ -> first.get()));
    }

    /**
     * Notes that the work gave this account a new head. After the commit, and before its caller is answered, the
     * {@link CommitWitness} receives each account's last head.
     */
    public void noteHead(String account, String head) {
        headsOfThisWork.put(account, head);
    }

    /**
     * Ends this run of the work, which then runs again from the beginning, unless this is its last run. Two statements
     * of a writer may see different commits of other instances, so results that contradict each other may agree in the
     * next run.
     */
    public void runAgain() throws SQLException {
        if (!lastRun) {
            throw new Request.UndoNeeded();
        }
    }

    /**
     * The last head that was noted under this name on this connection, by this transaction or a committed one; null if
     * there is none. Other instances may have added entries since.
     */
    public @Nullable String lastHead(String account) {
        String head = headsOfThisWork.getOrDefault(account, heads.get(account));
        return head == null ? committedHeads.get(account) : head;
    }

    /** Adds heads that were confirmed before this connection was made to the heads that {@link #lastHead} returns. */
    public void knowHeads(Map<String, String> confirmed) {
        committedHeads.putAll(confirmed);
    }

    /** @param last whether this is the last run, so that the work may not ask for another */
    void beginWork(boolean last) {
        lastRun = last;
        headsOfThisWork.clear();
        changed = false;
        failed = false;
    }

    void keepHeadsOfThisWork() {
        heads.putAll(headsOfThisWork);
        headsOfThisWork.clear();
    }

    /** Whether the work has run a statement other than a query, so that there may be something to undo. */
    boolean hasChanged() {
        return changed;
    }

    /**
     * Whether a statement of the work failed. PostgreSQL then refuses further statements until something is rolled
     * back.
     */
    boolean hasFailed() {
        return failed;
    }

    void forgetHeads() {
        headsOfThisWork.clear();
        heads.clear();
    }

    /** The heads noted since the transaction began, by work that was not undone. */
    Map<String, String> takeHeads() {
        Map<String, String> taken = Map.copyOf(heads);
        committedHeads.putAll(taken);
        heads.clear();
        return taken;
    }

    /**
     * Runs a statement that returns no rows.
     *
     * @param values its parameters: text, {@code Long}, {@code Integer}, bytes or null
     * @return how many rows it changed
     */
    public int update(String sql, @Nullable Object... values) throws SQLException {
        try {
            PreparedStatement statement = bound(sql, values);
            int rows = statement.executeUpdate();
            // The driver would keep the values until the next run, and a stored answer can be large.
            statement.clearParameters();
            return rows;
        } catch (SQLException failure) {
            throw forgotten(sql, failure);
        }
    }

    /**
     * Runs a statement that returns no rows once for each element, sent to the database together.
     *
     * @param values the parameters of each run; all runs have the same number
     * @return how many rows each run changed
     */
    public int[] updateEach(String sql, List<Object[]> values) throws SQLException {
        if (values.isEmpty()) {
            return new int[0];
        }
        try {
            PreparedStatement statement = bound(sql, values.getFirst());
            statement.addBatch();
            for (Object[] each : values.subList(1, values.size())) {
                bound(sql, each).addBatch();
            }
            int[] rows = statement.executeBatch();
            statement.clearParameters();
            return rows;
        } catch (SQLException failure) {
            throw forgotten(sql, failure);
        }
    }

    /** The first row, if there is one. */
    public <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... values) throws SQLException {
        try (ResultSet rows = bound(sql, values).executeQuery()) {
            return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
        } catch (SQLException failure) {
            throw forgotten(sql, failure);
        }
    }

    /** All rows, in the statement's order; for statements whose number of rows is bounded. */
    public <T> List<T> all(String sql, RowReader<T> reader, @Nullable Object... values) throws SQLException {
        List<T> all = new ArrayList<>();
        each(sql, row -> all.add(reader.read(row)), values);
        return all;
    }

    /** Visits all rows, in the statement's order, without keeping them. */
    public void each(String sql, RowVisitor visitor, @Nullable Object... values) throws SQLException {
        try (ResultSet rows = bound(sql, values).executeQuery()) {
            while (rows.next()) {
                visitor.visit(rows);
            }
        } catch (SQLException failure) {
            throw forgotten(sql, failure);
        }
    }

    private PreparedStatement bound(String sql, @Nullable Object... values) throws SQLException {
        Prepared kept = prepared.get(sql);
        if (kept == null) {
            kept = new Prepared(connection.prepareStatement(sql), values.length, !sql.startsWith("SELECT"));
            prepared.put(sql, kept);
        }
        // With fewer values than parameters, the driver would reuse a value of the last run.
        if (kept.parameters() != values.length) {
            throw new SQLException(
                    "a statement has " + kept.parameters() + " parameters, not " + values.length + ": " + sql);
        }
        changed |= kept.changes();
        for (int i = 0; i < values.length; i++) {
            bind(kept.statement(), i + 1, values[i]);
        }
        return kept.statement();
    }

    /** A typed setter is faster than the driver's own check of the value's type. */
    private static void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        switch (value) {
            case Long number -> statement.setLong(index, number);
            case Integer number -> statement.setInt(index, number);
            case String text -> statement.setString(index, text);
            case byte[] bytes -> statement.setBytes(index, bytes);
            case null, default -> statement.setObject(index, value);
        }
    }

    /** Closes a statement that failed. After a full disk, for example, it may not be usable again. */
    private SQLException forgotten(String sql, SQLException failure) {
        failed = true;
        Prepared unfit = prepared.remove(sql);
        try {
            if (unfit != null) {
                unfit.statement().close();
            }
        } catch (SQLException second) {
            failure.addSuppressed(second);
        }
        return failure;
    }
}
