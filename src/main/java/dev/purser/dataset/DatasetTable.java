package dev.purser.dataset;

import dev.purser.json.JsonDocument;
import dev.purser.json.ParsedDocuments;
import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads and writes the table of datasets in the ledger's database. */
@Component
class DatasetTable {
    private final ParsedDocuments<Registration> registrations = new ParsedDocuments<>();

    private static final String LISTED = """
            SELECT d.id, t.title, d.account, d.state, d.custodian, d.registered_at_millis
            FROM dataset d LEFT JOIN dataset_title t ON t.id = d.id
            WHERE d.state <> 'deleted' AND\s""";

    void insert(
            StoreConnection transaction, String id, String account, String custodian, Instant at, byte[] registration)
            throws SQLException {
        transaction.update(
                "INSERT INTO dataset (id, account, custodian, registered_at_millis, state, registration)"
                        + " VALUES (?, ?, ?, ?, 'registered', ?)",
                id,
                account,
                custodian,
                at.toEpochMilli(),
                registration);
    }

    /** The ids of the datasets that are ready. */
    static Set<String> ready(StoreConnection reader) throws SQLException {
        return Set.copyOf(reader.all("SELECT id FROM dataset WHERE state = 'ready'", row -> row.getString(1)));
    }

    /** Notes the title of a dataset that was inserted, so that lists need not read its registration. */
    static void entitle(StoreConnection transaction, String id, String title) throws SQLException {
        transaction.update("INSERT INTO dataset_title (id, title) VALUES (?, ?)", id, title);
    }

    /** The parts that lists show of the committed dataset with this id; empty if there is none, or it was deleted. */
    static Optional<ListedDataset> findListed(StoreConnection reader, String id) throws SQLException {
        return reader.first(LISTED + "d.id = ?", DatasetTable::listed, id);
    }

    private static ListedDataset listed(ResultSet row) throws SQLException {
        return new ListedDataset(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                DatasetState.ofLabel(row.getString(4)),
                row.getString(5),
                Instant.ofEpochMilli(row.getLong(6)));
    }

    /** The committed dataset with this id, deleted or not. */
    Optional<Dataset> find(StoreConnection reader, String id) throws SQLException {
        Optional<Stored> stored = stored(reader, id);
        if (stored.isEmpty()) {
            return Optional.empty();
        }
        Registration registration = registrations.find(id);
        if (registration == null) {
            registration = registrations.parseAndRemember(id, registration(reader, id), DatasetTable::parsed);
        }
        return Optional.of(stored.orElseThrow().with(registration));
    }

    /** Whether there is, or was, a dataset with this id. */
    static boolean isTaken(StoreConnection transaction, String id) throws SQLException {
        return stored(transaction, id).isPresent();
    }

    /** As {@link #find}, but inside a transaction that may be rolled back, so nothing is cached. */
    static Optional<Dataset> findInTransaction(StoreConnection transaction, String id) throws SQLException {
        Optional<Stored> stored = stored(transaction, id);
        return stored.isEmpty()
                ? Optional.empty()
                : Optional.of(stored.orElseThrow().with(parsed(registration(transaction, id))));
    }

    private static Registration parsed(byte[] json) {
        return JsonDocument.parse(json).read(RegistrationReader::read);
    }

    private static Optional<Stored> stored(StoreConnection connection, String id) throws SQLException {
        return connection.first(
                "SELECT account, state, custodian, registered_at_millis FROM dataset WHERE id = ?",
                row -> new Stored(
                        row.getString(1),
                        DatasetState.ofLabel(row.getString(2)),
                        row.getString(3),
                        Instant.ofEpochMilli(row.getLong(4))),
                id);
    }

    private static byte[] registration(StoreConnection connection, String id) throws SQLException {
        return connection
                .first("SELECT registration FROM dataset WHERE id = ?", row -> row.getBytes("registration"), id)
                .orElseThrow();
    }

    private record Stored(String account, DatasetState state, String custodian, Instant registeredAt) {
        Dataset with(Registration registration) {
            return new Dataset(registration, account, state, custodian, registeredAt);
        }
    }

    /**
     * Whether {@code custodian} registered a dataset with this id, deleted or not. A dataset of another custodian takes
     * no longer than a missing one, whatever its size, because the index of custodians alone answers the query. With
     * {@code id = ?}, SQLite would read the table itself, and there it reads large rows as a whole to compare ids.
     */
    static boolean isRegisteredBy(StoreConnection connection, String id, String custodian) throws SQLException {
        return connection
                .first(
                        "SELECT 1 FROM dataset WHERE custodian = ? AND id BETWEEN ? AND ?",
                        row -> true,
                        custodian,
                        id,
                        id)
                .isPresent();
    }

    /**
     * The datasets whose id comes after {@code after} in this order, without deleted ones. One pass finds them: where
     * rows are large, SQLite would read several as a whole to find one by its id.
     */
    static List<ListedDataset> listed(StoreConnection connection, Order order, String after, int limit)
            throws SQLException {
        return connection.all(
                LISTED + "d.id " + order.comparison() + " ? ORDER BY d.id " + order.name() + " LIMIT ?",
                DatasetTable::listed,
                after,
                limit);
    }

    /**
     * The ids in {@code granted} and those of the datasets that {@code custodian} registered, which come after {@code
     * after} in this order. The work depends on these alone, not on the number of other datasets. Deleted ids in
     * {@code granted} are not removed.
     */
    static List<String> ids(
            StoreConnection connection,
            Set<String> granted,
            @Nullable String custodian,
            Order order,
            String after,
            int limit)
            throws SQLException {
        NavigableSet<String> candidates = new TreeSet<>(granted);
        if (custodian != null) {
            candidates.addAll(connection.all(
                    "SELECT id FROM dataset WHERE custodian = ? AND id " + order.comparison()
                            + " ? AND state <> 'deleted' ORDER BY id " + order.name() + " LIMIT ?",
                    row -> row.getString(1),
                    custodian,
                    after,
                    limit));
        }
        return List.copyOf(order.following(candidates, after));
    }

    /** The ids of the datasets in a state. */
    static List<String> idsIn(StoreConnection connection, DatasetState state) throws SQLException {
        return connection.all("SELECT id FROM dataset WHERE state = ?", row -> row.getString(1), state.label());
    }
}
