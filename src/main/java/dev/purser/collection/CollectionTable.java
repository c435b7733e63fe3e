package dev.purser.collection;

import dev.purser.collection.StoredCollection.Kind;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads and writes the tables of collections in the ledger's database. */
final class CollectionTable {
    private static final String COLUMNS =
            "SELECT id, kind, number, custodian, opened_millis, closes_millis, is_closed, is_deleted FROM collection ";

    /** How many report ids one transaction removes: others wait for it. */
    private static final int REMOVED_TOGETHER = 10_000;

    private CollectionTable() {}

    /**
     * The sums of all reports.
     *
     * @param sums as {@link dev.purser.local.Tallied} adds them
     */
    record Tally(long reports, long[] sums) {}

    static void insert(
            StoreConnection transaction, StoredCollection collection, byte[] declaration, byte[] document, int tallies)
            throws SQLException {
        if (find(transaction, collection.id()).isPresent()) {
            throw ProblemException.of(
                    ProblemType.ALREADY_EXISTS,
                    "the id \"" + collection.id() + "\" is or was taken, and ids are never reused");
        }
        Instant closesAt = collection.closesAt();
        transaction.update(
                "INSERT INTO collection (id, kind, number, custodian, opened_millis, closes_millis, is_closed,"
                        + " is_deleted, declaration, document) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
                collection.id(),
                collection.kind().label(),
                collection.number(),
                collection.custodian(),
                collection.openedAt().toEpochMilli(),
                closesAt == null ? null : closesAt.toEpochMilli(),
                declaration,
                document);
        transaction.update(
                "INSERT INTO collection_tally (collection, reports, sums) VALUES (?, 0, ?)",
                collection.number(),
                bytes(new long[tallies]));
    }

    /** The collection with this id, deleted or not. */
    static Optional<StoredCollection> find(StoreConnection connection, String id) throws SQLException {
        return connection.first(COLUMNS + "WHERE id = ?", CollectionTable::read, id);
    }

    private static StoredCollection read(ResultSet row) throws SQLException {
        long closes = row.getLong("closes_millis");
        Instant closesAt = row.wasNull() ? null : Instant.ofEpochMilli(closes);
        return new StoredCollection(
                row.getString("id"),
                row.getString("kind").equals(Kind.TRAINING.label()) ? Kind.TRAINING : Kind.COLLECTION,
                row.getLong("number"),
                row.getString("custodian"),
                Instant.ofEpochMilli(row.getLong("opened_millis")),
                closesAt,
                row.getInt("is_closed") == 1,
                row.getInt("is_deleted") == 1);
    }

    static byte[] declaration(StoreConnection connection, String id) throws SQLException {
        return blob(connection, "SELECT declaration FROM collection WHERE id = ?", id);
    }

    static byte[] document(StoreConnection connection, String id) throws SQLException {
        return blob(connection, "SELECT document FROM collection WHERE id = ?", id);
    }

    private static byte[] blob(StoreConnection connection, String sql, String id) throws SQLException {
        return connection.first(sql, row -> row.getBytes(1), id).orElseThrow();
    }

    /** Whether {@code custodian} opened a collection with this id, deleted or not; from the index alone. */
    static boolean isOpenedBy(StoreConnection connection, String id, String custodian) throws SQLException {
        return connection
                .first(
                        "SELECT 1 FROM collection WHERE custodian = ? AND id BETWEEN ? AND ?",
                        row -> true,
                        custodian,
                        id,
                        id)
                .isPresent();
    }

    /** All of a kind whose id comes after {@code after} in this order, without deleted ones. */
    static List<StoredCollection> listed(StoreConnection connection, Kind kind, Order order, String after, int limit)
            throws SQLException {
        return connection.all(
                COLUMNS + "WHERE kind = ? AND id " + order.comparison() + " ? AND is_deleted = 0 ORDER BY id "
                        + order.name() + " LIMIT ?",
                CollectionTable::read,
                kind.label(),
                after,
                limit);
    }

    /** As {@link #listed}, of those in {@code granted} and those that {@code custodian} opened. */
    static List<StoredCollection> listed(
            StoreConnection connection,
            Kind kind,
            Set<String> granted,
            @Nullable String custodian,
            Order order,
            String after,
            int limit)
            throws SQLException {
        NavigableSet<String> candidates = new TreeSet<>(granted);
        if (custodian != null) {
            candidates.addAll(connection.all(
                    "SELECT id FROM collection WHERE kind = ? AND custodian = ? AND id " + order.comparison()
                            + " ? AND is_deleted = 0 ORDER BY id " + order.name() + " LIMIT ?",
                    row -> row.getString(1),
                    kind.label(),
                    custodian,
                    after,
                    limit));
        }
        List<StoredCollection> found = new ArrayList<>();
        for (String id : order.following(candidates, after)) {
            if (found.size() < limit) {
                find(connection, id)
                        .filter(each -> each.kind() == kind && !each.isDeleted())
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    static void close(StoreConnection transaction, StoredCollection collection, Instant at) throws SQLException {
        lock(transaction, collection);
        transaction.update(
                "UPDATE collection SET closes_millis = ?, is_closed = 1 WHERE id = ? AND is_deleted = 0",
                at.toEpochMilli(),
                collection.id());
    }

    /** Deletes the sums. What is left to remove is the ids of reports. */
    static void delete(StoreConnection transaction, StoredCollection collection) throws SQLException {
        lock(transaction, collection);
        transaction.update("UPDATE collection SET is_deleted = 1 WHERE id = ? AND is_deleted = 0", collection.id());
        transaction.update("DELETE FROM collection_tally WHERE collection = ?", collection.number());
        transaction.update("DELETE FROM training WHERE collection = ?", collection.number());
        transaction.update("DELETE FROM training_round WHERE collection = ?", collection.number());
    }

    /** Removes some of the ids and tickets of reports of a deleted collection; false if none was left. */
    static boolean removeReports(StoreConnection transaction, StoredCollection collection) throws SQLException {
        int ids = transaction.update(
                "DELETE FROM collection_report WHERE collection = ? AND report IN"
                        + " (SELECT report FROM collection_report WHERE collection = ? LIMIT ?)",
                collection.number(),
                collection.number(),
                REMOVED_TOGETHER);
        int tickets = transaction.update(
                "DELETE FROM training_ticket WHERE collection = ? AND ticket IN"
                        + " (SELECT ticket FROM training_ticket WHERE collection = ? LIMIT ?)",
                collection.number(),
                collection.number(),
                REMOVED_TOGETHER);
        return ids + tickets > 0;
    }

    /**
     * Keeps other instances from changing the sums until the transaction ends.
     *
     * @throws ProblemException {@code collection-closed}
     */
    static void requireOpen(StoreConnection transaction, StoredCollection collection, Instant now) throws SQLException {
        require(transaction, collection, found -> found.isOpenAt(now));
    }

    /** As {@link #requireOpen}, for a batch that began before the end of reports: only a deletion refuses the rest. */
    static void requireThere(StoreConnection transaction, StoredCollection collection) throws SQLException {
        require(transaction, collection, found -> !found.isDeleted());
    }

    private static void require(
            StoreConnection transaction, StoredCollection collection, Predicate<StoredCollection> condition)
            throws SQLException {
        lock(transaction, collection);
        if (find(transaction, collection.id()).filter(condition).isEmpty()) {
            throw ProblemException.of(ProblemType.COLLECTION_CLOSED, "it takes no more reports");
        }
    }

    private static void lock(StoreConnection transaction, StoredCollection collection) throws SQLException {
        transaction.update("UPDATE collection_tally SET reports = reports WHERE collection = ?", collection.number());
    }

    static Optional<Tally> tally(StoreConnection connection, StoredCollection collection) throws SQLException {
        return connection.first(
                "SELECT reports, sums FROM collection_tally WHERE collection = ?",
                row -> new Tally(row.getLong("reports"), longs(row.getBytes("sums"))),
                collection.number());
    }

    static void keep(StoreConnection transaction, StoredCollection collection, Tally tally) throws SQLException {
        transaction.update(
                "UPDATE collection_tally SET reports = ?, sums = ? WHERE collection = ?",
                tally.reports(),
                bytes(tally.sums()),
                collection.number());
    }

    /**
     * Notes reports by their keys.
     *
     * @return for each key 1 if it is new, and 0 if it was noted before
     */
    static int[] note(StoreConnection transaction, StoredCollection collection, List<byte[]> keys) throws SQLException {
        return transaction.updateEach(
                "INSERT INTO collection_report (collection, report) VALUES (?, ?) ON CONFLICT DO NOTHING",
                keys.stream()
                        .map(key -> new Object[] {collection.number(), key})
                        .toList());
    }

    private static byte[] bytes(long[] sums) {
        ByteBuffer buffer = ByteBuffer.allocate(sums.length * Long.BYTES);
        buffer.asLongBuffer().put(sums);
        return buffer.array();
    }

    private static long[] longs(byte[] bytes) {
        long[] sums = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).asLongBuffer().get(sums);
        return sums;
    }
}
