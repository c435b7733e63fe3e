package dev.purser.dataset;

import dev.purser.access.OwnedRows;
import dev.purser.dataset.JournaledDatasets.StoredDataset;
import dev.purser.digest.Sha256;
import dev.purser.journal.Chain;
import dev.purser.journal.DecidingRows.Version;
import dev.purser.journal.Journal;
import dev.purser.json.JsonDocument;
import dev.purser.json.ParsedDocuments;
import dev.purser.ledger.BudgetLedger;
import dev.purser.store.Database;
import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import static dev.purser.dataset.JournaledDatasets.DATASETS;

/**
 * Reads and writes the table of datasets in the ledger's database. A row is used only as the journal recorded it last.
 */
@Component
class DatasetTable {
    static final OwnedRows OWNED = new OwnedRows("dataset", "state <> 'deleted'");

    private final ParsedDocuments<Known> registrations = new ParsedDocuments<>();
    private final Clock clock;

    /**
     * @param ledger the ledger, whose guard has to compare the journal with the database first
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
        Standing standing = new Standing(state.label(), null, null);
        DATASETS.insert(
                transaction,
                Chain.ofAccount(account),
                new StoredDataset(id, registration.title().orElse(null), account, custodian, at, standing),
                body);
        new Journal(transaction)
                .record(
                        Chain.ofAccount(account),
                        JournaledDatasets.registration(
                                id, body, registration.accountant().name()));
    }

    /**
     * The rows of the ready datasets outside blocks. A dataset with blocks or with a table is listed too, although it
     * has no such file.
     */
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

    /** The uploads that an instance began and did not finish. */
    static List<TornLoad> torn(StoreConnection reader, String instance) throws SQLException {
        return reader.all(
                "SELECT id, account FROM dataset WHERE state = 'loading' AND loaded_by = ?",
                row -> new TornLoad(RowsPart.all(row.getString(1)), row.getString(2)),
                instance);
    }

    /**
     * Changes the standing of a dataset.
     *
     * @param next makes the new standing; null to leave it as it is
     * @return whether it was changed
     */
    static boolean change(StoreConnection transaction, String id, Function<Standing, @Nullable Standing> next)
            throws SQLException {
        return DATASETS.change(
                        transaction,
                        now -> {
                            Standing to = next.apply(now.standing());
                            return to == null ? null : now.in(to);
                        },
                        id)
                .isPresent();
    }

    /** The parts that lists show of the committed dataset with this id; empty if there is none, or it was deleted. */
    static Optional<ListedDataset> findListed(StoreConnection reader, String id) throws SQLException {
        return DATASETS.find(reader, id)
                .filter(found -> !found.standing().is(DatasetState.DELETED))
                .map(StoredDataset::listed);
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
        Version<StoredDataset> found = DATASETS.version(reader, id).orElse(null);
        if (found == null) {
            return Optional.empty();
        }
        StoredDataset dataset = found.row();
        Known known = registrations.find(id);
        if (known == null) {
            known = registrations.parseAndRemember(id, registration(reader, id), Known::parsed);
        }
        byte[] rowsDigest = dataset.standing().rowsDigest();
        return Optional.of(new Dataset(
                known.registration(),
                known.digest(),
                dataset.account(),
                DatasetState.ofLabel(dataset.standing().state()),
                dataset.custodian(),
                dataset.registeredAt(),
                rowsDigest == null ? null : HexFormat.of().formatHex(rowsDigest),
                ready(reader, known.registration()),
                Map.of(DATASETS.object(id), found.entry())));
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

    /**
     * The bytes of a registration. They never change, so they are compared with the journal once, before they are
     * remembered.
     */
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
     * The datasets whose id comes after {@code after} in this order, without deleted ones. One pass finds them. If
     * SQLite searched for each id, it would read several large rows as a whole for each.
     */
    static List<ListedDataset> listed(StoreConnection connection, Order order, String after, int limit)
            throws SQLException {
        String select = DATASETS.select("WHERE r.state <> 'deleted' AND r.id " + order.comparison()
                + " ? ORDER BY r.id " + order.name() + " LIMIT ?");
        return DATASETS.all(connection, select, after, limit).stream()
                .map(StoredDataset::listed)
                .toList();
    }

    /** The ids of the datasets in a state. */
    static List<String> idsIn(StoreConnection connection, DatasetState state) throws SQLException {
        return connection.all("SELECT id FROM dataset WHERE state = ?", row -> row.getString(1), state.label());
    }
}
