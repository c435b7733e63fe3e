package dev.purser.dataset;

import dev.purser.digest.Sha256;
import dev.purser.journal.Chain;
import dev.purser.journal.ChangedRow;
import dev.purser.journal.Journal;
import dev.purser.journal.JournaledRow;
import dev.purser.json.JsonDocument;
import dev.purser.json.ParsedDocuments;
import dev.purser.ledger.BudgetLedger;
import dev.purser.store.Database;
import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads and writes the table of datasets in the ledger's database. A row is used as the journal recorded it last. */
@Component
class DatasetTable {
    private static final String NAMES =
            "d.id, t.title, d.account, d.custodian, d.registered_at_millis, d.state, d.loaded_by, d.rows_digest";

    private static final String TITLES = " LEFT JOIN dataset_title t ON t.id = d.id ";

    /** All but the registration. */
    static final String COLUMNS = "SELECT " + NAMES + " FROM dataset d" + TITLES;

    private static final String LOOKUP = Journal.lookup(NAMES, "dataset d ON d.id = ?" + TITLES);

    private static final String ONE = COLUMNS + "WHERE d.id = ?";

    private static final String LISTED = COLUMNS + "WHERE d.state <> 'deleted' AND ";

    private static final String MOVE = "UPDATE dataset SET state = ?, loaded_by = ?, rows_digest = ?"
            + " WHERE id = ? AND state = ? AND loaded_by IS NOT DISTINCT FROM ?";

    private final ParsedDocuments<Known> registrations = new ParsedDocuments<>();
    private final Clock clock;

    /**
     * @param ledger its guard has to compare the journal with the database first
     * @param clock decides which blocks of tables are over
     */
    DatasetTable(@SuppressWarnings("unused") BudgetLedger ledger, Clock clock) {
        this.clock = clock;
    }

    /** @param digest SHA-256 of the bytes, in hexadecimal */
    private record Known(Registration registration, String digest) {
        static Known parsed(byte[] json) {
            return new Known(JsonDocument.parse(json).read(RegistrationReader::read), Sha256.hexOf(json));
        }
    }

    /** Inserts a dataset, and its title in a table of its own, so that lists need not read its registration. */
    static void insert(
            StoreConnection transaction,
            Registration registration,
            byte[] body,
            String account,
            String custodian,
            Instant at,
            DatasetState state)
            throws SQLException {
        String id = registration.id();
        transaction.update(
                "INSERT INTO dataset (id, account, custodian, registered_at_millis, state, registration)"
                        + " VALUES (?, ?, ?, ?, ?, ?)",
                id,
                account,
                custodian,
                at.toEpochMilli(),
                state.label(),
                body);
        if (registration.title().isPresent()) {
            transaction.update(
                    "INSERT INTO dataset_title (id, title) VALUES (?, ?)",
                    id,
                    registration.title().orElseThrow());
        }
        Journal journal = new Journal(transaction);
        journal.requireNever(JournaledDatasets.datasetOf(id));
        record(transaction, id, account);
        journal.record(
                Chain.ofAccount(account),
                JournaledDatasets.registration(
                        id, body, registration.accountant().name()));
    }

    /** The rows of the datasets that are ready, as far as they are not in blocks. */
    static List<RowsPart> ready(StoreConnection reader) throws SQLException {
        return reader.all("SELECT id FROM dataset WHERE state = 'ready'", row -> RowsPart.all(row.getString(1)));
    }

    /** The digest of the file of each dataset that is ready and has one. */
    static Map<RowsPart, String> rowsDigests(StoreConnection reader) throws SQLException {
        Map<RowsPart, String> found = new LinkedHashMap<>();
        reader.each(
                "SELECT id, rows_digest FROM dataset WHERE state = 'ready' AND rows_digest IS NOT NULL",
                row -> found.put(RowsPart.all(row.getString(1)), HexFormat.of().formatHex(row.getBytes(2))));
        return found;
    }

    /** The uploads that an instance began and did not end. */
    static List<TornLoad> torn(StoreConnection reader, String instance) throws SQLException {
        return reader.all(
                "SELECT id, account FROM dataset WHERE state = 'loading' AND loaded_by = ?",
                row -> new TornLoad(RowsPart.all(row.getString(1)), row.getString(2)),
                instance);
    }

    /**
     * Changes what a dataset is. The update locks the row as it was read, unless another instance changed it
     * meanwhile; the row is compared with the journal after that.
     *
     * @param next what it is to be; null to leave it
     * @return whether it was changed
     */
    static boolean change(StoreConnection transaction, String id, Function<Standing, @Nullable Standing> next)
            throws SQLException {
        record Now(String account, Standing standing, JournaledRow row, List<@Nullable String> fixed) {}
        while (true) {
            Optional<Now> now = transaction.first(
                    ONE,
                    row -> new Now(row.getString(3), Standing.of(row), JournaledDatasets.dataset(row), fixed(row)),
                    id);
            if (now.isEmpty()) {
                return false;
            }
            Standing from = now.orElseThrow().standing();
            Standing to = next.apply(from);
            if (to == null) {
                return false;
            }
            if (transaction.update(MOVE, to.state(), to.loadedBy(), to.rowsDigest(), id, from.state(), from.loadedBy())
                    == 1) {
                new Journal(transaction).require(now.orElseThrow().row());
                // The update locked the row. What it does not write may have been changed between the two statements.
                if (!transaction
                        .first(ONE, DatasetTable::fixed, id)
                        .orElseThrow()
                        .equals(now.orElseThrow().fixed())) {
                    throw ChangedRow.refused(JournaledDatasets.datasetOf(id), "it was changed meanwhile");
                }
                record(transaction, id, now.orElseThrow().account());
                return true;
            }
        }
    }

    /** What no change of a dataset changes. */
    private static List<@Nullable String> fixed(ResultSet row) throws SQLException {
        return Arrays.asList(row.getString(2), row.getString(3), row.getString(4), row.getString(5));
    }

    private static void record(StoreConnection transaction, String id, String account) throws SQLException {
        new Journal(transaction)
                .record(
                        Chain.ofAccount(account),
                        transaction.first(ONE, JournaledDatasets::dataset, id).orElseThrow());
    }

    /** The parts that lists show of the committed dataset with this id; empty if there is none, or it was deleted. */
    static Optional<ListedDataset> findListed(StoreConnection reader, String id) throws SQLException {
        return reader.first(LISTED + "d.id = ?", row -> listed(reader, row), id);
    }

    private static ListedDataset listed(StoreConnection reader, ResultSet row) throws SQLException {
        new Journal(reader).require(JournaledDatasets.dataset(row));
        return listed(row);
    }

    private static ListedDataset listed(ResultSet row) throws SQLException {
        return new ListedDataset(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                DatasetState.ofLabel(row.getString(6)),
                row.getString(4),
                Instant.ofEpochMilli(row.getLong(5)));
    }

    /** The committed dataset with this id, deleted or not. Usually its row is all that is read. */
    Optional<Dataset> find(Database database, String id) {
        Known known = registrations.find(id);
        boolean isOneRow = known != null
                && (known.registration().blocks().isEmpty()
                        || known.registration().source() instanceof Source.Table);
        return isOneRow ? database.readOne(reader -> find(reader, id)) : database.read(reader -> find(reader, id));
    }

    /** As {@link #find(Database, String)}, in a snapshot. */
    Optional<Dataset> find(StoreConnection reader, String id) throws SQLException {
        record Found(ListedDataset dataset, byte @Nullable [] rowsDigest) {}
        Optional<Found> found = new Journal(reader)
                .find(
                        LOOKUP,
                        row -> new Found(listed(row), row.getBytes(8)),
                        (row, _) -> JournaledDatasets.dataset(row),
                        id,
                        JournaledDatasets.datasetOf(id));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Known known = registrations.find(id);
        if (known == null) {
            known = registrations.parseAndRemember(id, registration(reader, id), Known::parsed);
        }
        ListedDataset dataset = found.orElseThrow().dataset();
        byte[] rowsDigest = found.orElseThrow().rowsDigest();
        return Optional.of(new Dataset(
                known.registration(),
                known.digest(),
                dataset.account(),
                dataset.state(),
                dataset.custodian(),
                dataset.registeredAt(),
                rowsDigest == null ? null : HexFormat.of().formatHex(rowsDigest),
                ready(reader, known.registration())));
    }

    private ReadyBlocks ready(StoreConnection reader, Registration registration) throws SQLException {
        if (registration.blocks().isEmpty()) {
            return ReadyBlocks.NONE;
        }
        return switch (registration.source()) {
            case Source.Upload _ -> LoadedBlocks.ready(reader, registration.id());
            case Source.Table _ ->
                ReadyBlocks.ofTable(registration, LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
        };
    }

    /** Whether there is a dataset with this id, deleted or not. */
    static boolean isTaken(StoreConnection transaction, String id) throws SQLException {
        return transaction
                .first("SELECT 1 FROM dataset WHERE id = ?", row -> true, id)
                .isPresent();
    }

    /** It never changes, so it is compared with the journal before it is remembered, and not again. */
    private static byte[] registration(StoreConnection reader, String id) throws SQLException {
        return reader.first(
                        JournaledDatasets.REGISTRATION + "WHERE d.id = ?",
                        row -> {
                            new Journal(reader).require(JournaledDatasets.registration(row));
                            return row.getBytes(2);
                        },
                        id)
                .orElseThrow();
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
                row -> listed(connection, row),
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
