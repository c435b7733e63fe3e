package dev.purser.collection;

import dev.purser.access.OwnedRows;
import dev.purser.access.Principal;
import dev.purser.collection.StoredCollection.Kind;
import dev.purser.journal.Chain;
import dev.purser.journal.Journal;
import dev.purser.journal.JournaledRow;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.MacKey;
import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

import static dev.purser.collection.JournaledCollections.COLLECTIONS;

/** Reads and writes the tables of collections in the ledger's database. */
final class CollectionTable {
    /** The state of every id in the digest of ids. */
    static final int COUNTED = 1;

    /** How many report ids one transaction removes. Other transactions wait for it. */
    private static final int REMOVED_TOGETHER = 10_000;

    private CollectionTable() {}

    /**
     * The sums of all reports.
     *
     * @param sums the sums that {@link dev.purser.local.ReportSums} adds up
     * @param ids the digest of the ids of the reports; a training has tickets instead
     */
    record Tally(long reports, long[] sums, SetDigest ids) {
        /**
         * @param row the columns {@code reports}, {@code sums} and {@code ids}, which are null if there is no such row
         */
        static @Nullable Tally of(ResultSet row, SetDigest ids) throws SQLException {
            byte[] sums = row.getBytes("sums");
            return sums == null ? null : new Tally(row.getLong("reports"), longs(sums), ids.with(row.getBytes("ids")));
        }

        byte[] sumsAsBytes() {
            return bytes(sums);
        }
    }

    static void insert(
            StoreConnection transaction, StoredCollection collection, byte[] declaration, byte[] document, int tallies)
            throws SQLException {
        if (COLLECTIONS.find(transaction, collection.id()).isPresent()) {
            throw ProblemException.of(
                    ProblemType.ALREADY_EXISTS,
                    "the id \"" + collection.id() + "\" is or was taken, and ids are never reused");
        }
        COLLECTIONS.insert(transaction, Chain.ofCollection(collection.id()), collection, declaration, document);
        Tally tally = new Tally(0, new long[tallies], ids(transaction.key(), collection.id()));
        transaction.update(
                "INSERT INTO collection_tally (collection, reports, sums, ids) VALUES (?, 0, ?, ?)",
                collection.number(),
                tally.sumsAsBytes(),
                tally.ids().stored());
        record(transaction, collection, JournaledCollections.protocol(collection.id(), declaration, document));
        record(transaction, collection, JournaledCollections.reports(collection.id(), tally));
    }

    static void record(StoreConnection transaction, StoredCollection collection, JournaledRow row) throws SQLException {
        new Journal(transaction).record(Chain.ofCollection(collection.id()), row);
    }

    /** The digest of the empty set of report ids. */
    static SetDigest ids(MacKey key, String collection) {
        return new SetDigest(key, "reports", collection);
    }

    /** The parts of a collection that never change. */
    record Stored(byte[] declaration, byte[] document) {}

    /**
     * The declaration and the protocol document of a collection, as the journal recorded them.
     *
     * @throws ProblemException {@code internal-error} if they are not as recorded
     */
    static Stored stored(StoreConnection connection, String id) throws SQLException {
        Stored stored = connection
                .first(
                        "SELECT declaration, document FROM collection WHERE id = ?",
                        row -> new Stored(row.getBytes(1), row.getBytes(2)),
                        id)
                .orElseThrow();
        new Journal(connection).require(JournaledCollections.protocol(id, stored.declaration(), stored.document()));
        return stored;
    }

    /** The collections of a kind, as rows of the custodians that opened them. */
    static OwnedRows owned(Kind kind) {
        return new OwnedRows("collection", "is_deleted = 0 AND kind = '" + kind.label() + "'");
    }

    /** The collections of a kind whose id comes after {@code after} in this order, without deleted collections. */
    static List<StoredCollection> listed(StoreConnection connection, Kind kind, Order order, String after, int limit)
            throws SQLException {
        return COLLECTIONS.all(
                connection,
                COLLECTIONS.select("WHERE r.kind = ? AND r.id " + order.comparison()
                        + " ? AND r.is_deleted = 0 ORDER BY r.id " + order.name() + " LIMIT ?"),
                kind.label(),
                after,
                limit);
    }

    /** The collections of a kind that a principal was granted by their ids or opened, in the same order. */
    static List<StoredCollection> listed(
            StoreConnection connection, Kind kind, Principal principal, Order order, String after, int limit)
            throws SQLException {
        return owned(kind)
                .list(
                        connection,
                        principal,
                        principal.collections(),
                        order,
                        after,
                        limit,
                        (reader, id) ->
                                COLLECTIONS.find(reader, id).filter(each -> each.kind() == kind && !each.isDeleted()));
    }

    static void close(StoreConnection transaction, StoredCollection collection, Instant at) throws SQLException {
        locked(transaction, collection);
        COLLECTIONS.change(transaction, now -> now.isDeleted() ? null : now.closedAt(at), collection.id());
    }

    /** Deletes the sums. The ids of reports are removed later. */
    static void delete(StoreConnection transaction, StoredCollection collection) throws SQLException {
        locked(transaction, collection);
        if (COLLECTIONS
                .change(transaction, now -> now.isDeleted() ? null : now.deleted(), collection.id())
                .isEmpty()) {
            return;
        }
        transaction.update("DELETE FROM collection_tally WHERE collection = ?", collection.number());
        transaction.update("DELETE FROM training WHERE collection = ?", collection.number());
        transaction.update("DELETE FROM training_round WHERE collection = ?", collection.number());
        record(transaction, collection, JournaledCollections.reports(collection.id(), null));
        if (collection.kind() == Kind.TRAINING) {
            record(transaction, collection, JournaledCollections.training(collection.id(), null));
        }
    }

    /** Removes some report ids and tickets of a deleted collection. Returns false if none was left. */
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

    /**
     * As {@link #requireOpen}, for a batch that began before the end of reports. The rest of the batch is refused only
     * if the collection was deleted.
     */
    static void requireThere(StoreConnection transaction, StoredCollection collection) throws SQLException {
        require(transaction, collection, found -> !found.isDeleted());
    }

    private static void require(
            StoreConnection transaction, StoredCollection collection, Predicate<StoredCollection> condition)
            throws SQLException {
        if (!condition.test(locked(transaction, collection))) {
            throw ProblemException.of(ProblemType.COLLECTION_CLOSED, "it takes no more reports");
        }
    }

    /** The collection. Until the transaction ends, no other transaction changes it. */
    private static StoredCollection locked(StoreConnection transaction, StoredCollection collection)
            throws SQLException {
        transaction.update("UPDATE collection_tally SET reports = reports WHERE collection = ?", collection.number());
        return COLLECTIONS.find(transaction, collection.id()).orElseThrow(VisibleCollections::notFound);
    }

    /**
     * The sums, as the journal recorded them last; empty if the collection is deleted.
     *
     * @throws ProblemException {@code internal-error} if they are not as recorded
     */
    static Optional<Tally> tally(StoreConnection connection, StoredCollection collection) throws SQLException {
        Optional<Tally> tally = connection.first(
                "SELECT reports, sums, ids FROM collection_tally WHERE collection = ?",
                row -> Objects.requireNonNull(Tally.of(row, ids(connection.key(), collection.id()))),
                collection.number());
        new Journal(connection).require(JournaledCollections.reports(collection.id(), tally.orElse(null)));
        return tally;
    }

    static void keep(StoreConnection transaction, StoredCollection collection, Tally tally) throws SQLException {
        transaction.update(
                "UPDATE collection_tally SET reports = ?, sums = ?, ids = ? WHERE collection = ?",
                tally.reports(),
                tally.sumsAsBytes(),
                tally.ids().stored(),
                collection.number());
        record(transaction, collection, JournaledCollections.reports(collection.id(), tally));
    }

    /**
     * Notes the keys of reports.
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
