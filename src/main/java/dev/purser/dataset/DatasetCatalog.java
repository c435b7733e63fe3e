package dev.purser.dataset;

import dev.purser.dataset.ingest.Fingerprint;
import dev.purser.json.JsonDocument;
import dev.purser.ledger.BudgetLedger;
import dev.purser.privacy.Neighborhood;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import dev.purser.store.Database;
import dev.purser.store.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/** Every dataset that was ever registered, and where each one stands. */
@Service
public class DatasetCatalog {
    private final Database database;
    private final BudgetLedger ledger;
    private final DatasetFiles files;
    private final Fingerprints fingerprints;
    private final TableSources tables;
    private final InstanceId instance;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    /** Opens the catalogue, and clears away what a crash left of this instance's uploads, or of a deletion. */
    DatasetCatalog(
            Database database,
            BudgetLedger ledger,
            DatasetFiles files,
            Fingerprints fingerprints,
            TableSources tables,
            InstanceId instance,
            ApplicationEventPublisher events,
            Clock clock) {
        this.database = database;
        this.ledger = ledger;
        this.files = files;
        this.fingerprints = fingerprints;
        this.tables = tables;
        this.instance = instance;
        this.events = events;
        this.clock = clock;
        recover();
    }

    // A dataset that a crash of this instance left loading has at most a torn file, or a whole one that nobody was
    // told of: either way the upload was not confirmed, so nothing of it stays. Its files go first: one declared
    // failed may at once be loaded by another instance. A deletion is finished by removing files still there.
    private void recover() {
        try {
            for (String id : database.read(this::torn)) {
                files.delete(id);
                endLoading(id);
            }
            for (String id : database.read(DatasetCatalog::deleted)) {
                files.delete(id);
            }
            files.sweepTornUploads();
        } catch (IOException failure) {
            throw new UncheckedIOException("the rest of a torn upload cannot be removed", failure);
        }
    }

    /**
     * Registers a dataset and opens its account, in one transaction. A dataset that reads a table is ready at once.
     *
     * @param body the bytes that {@code registration} was read from
     * @throws ProblemException {@code already-exists} if the id was ever used, or its table is another account's and not
     *     declared public; {@code validation-failed} if the account it wants to share is not the custodian's or has another
     *     limit or accountant, or its table is not what it says; {@code temporarily-unavailable} if the table's database does
     *     not answer
     */
    public Dataset register(Registration registration, byte[] body, String custodian) {
        tables.check(registration);
        Instant now = clock.instant();
        database.write(registration.id(), transaction -> {
            if (find(transaction, registration.id()).isPresent()) {
                throw ProblemException.of(
                        ProblemType.ALREADY_EXISTS,
                        "the id \"" + registration.id() + "\" is taken, now or in the past: ids are never used again");
            }
            String account = openOrShareAccount(transaction, registration, custodian);
            insert(transaction, registration.id(), account, custodian, now, body);
            if (registration.source() instanceof Source.Table table) {
                beginReading(transaction, registration, table, account);
            }
            return account;
        });
        return require(registration.id());
    }

    private void beginReading(Session transaction, Registration registration, Source.Table table, String account)
            throws SQLException {
        if (!fingerprints.claim(transaction, table, account) && !registration.declaredPublic()) {
            throw ProblemException.of(
                    ProblemType.ALREADY_EXISTS,
                    "the same table is one account for ever: to read it again, register with sharesAccountWith, or with"
                            + " declaredPublic if its rows are public or synthetic");
        }
        transaction.update("UPDATE dataset SET state = 'ready' WHERE id = ?", registration.id());
    }

    private String openOrShareAccount(Session transaction, Registration registration, String custodian)
            throws SQLException {
        if (registration.sharesAccountWith().isEmpty()) {
            ledger.open(
                    transaction,
                    registration.id(),
                    registration.accountant(),
                    LimitReader.inUnits(registration.budget(), registration.accountant(), "/budget"),
                    custodian);
            return registration.id();
        }
        String other = registration.sharesAccountWith().orElseThrow();
        boolean ofThisCustodian = isRegisteredBy(transaction, other, custodian);
        Dataset shared = (ofThisCustodian ? find(transaction, other) : Optional.<Dataset>empty())
                .orElseThrow(() -> refusedSharing("there is no dataset \"" + other + "\" of yours to share with"));
        Neighborhood neighborhood = new Neighborhood(registration.neighboringRelation(), registration.privacyUnit());
        if (!shared.registration()
                        .accountant()
                        .name()
                        .equals(registration.accountant().name())
                || !shared.registration().budget().equals(registration.budget())
                || !shared.neighborhood().equals(neighborhood)) {
            // Epsilons add up under one meaning of "neighbour" only.
            throw refusedSharing(
                    "an account is shared as it is: budget, accountant, neighboringRelation and privacyUnit"
                            + " must be those that \"" + other + "\" was registered with");
        }
        return shared.account();
    }

    private static ProblemException refusedSharing(String detail) {
        return ProblemException.validation(Violation.atPointer("/sharesAccountWith", detail));
    }

    /**
     * The dataset of this id.
     *
     * @throws ProblemException {@code not-found} if there is none, or not any more
     */
    Dataset require(String id) {
        return database.read(connection -> find(connection, id))
                .filter(dataset -> dataset.state() != DatasetState.DELETED)
                .orElseThrow(DatasetCatalog::notFound);
    }

    /**
     * The dataset of this id, also if it was deleted: its books stay readable.
     *
     * @throws ProblemException {@code not-found} if there never was one
     */
    Dataset requireEvenDeleted(String id) {
        return database.read(connection -> find(connection, id)).orElseThrow(DatasetCatalog::notFound);
    }

    /**
     * The dataset of this id, with data to ask about.
     *
     * @throws ProblemException {@code not-found}, {@code dataset-not-ready} before its upload succeeded, or {@code
     *     temporarily-unavailable} if its rows do not lie where this instance can read them
     */
    public Dataset requireReady(String id) {
        Dataset dataset = require(id);
        if (dataset.state() != DatasetState.READY) {
            throw ProblemException.of(
                    ProblemType.DATASET_NOT_READY,
                    "the dataset is " + dataset.state().label() + "; upload its data first");
        }
        boolean reachable = switch (dataset.registration().source()) {
            case Source.Upload upload -> files.isPresent(id);
            case Source.Table table -> tables.isConnected(table);
        };
        if (!reachable) {
            throw ProblemException.of(
                    ProblemType.TEMPORARILY_UNAVAILABLE,
                    "this instance cannot reach the dataset's rows; nothing was charged, ask again later");
        }
        return dataset;
    }

    static ProblemException notFound() {
        return ProblemException.of(ProblemType.NOT_FOUND, "there is no such dataset");
    }

    /**
     * Whether {@code custodian} registered a dataset of this id, deleted or not. Another's dataset takes no longer than none,
     * whatever its size: the index of custodians answers alone. Asked with {@code id = ?}, SQLite would look into the table
     * itself, and there it reads large rows as a whole to compare ids.
     */
    boolean isRegisteredBy(String id, String custodian) {
        return database.read(session -> isRegisteredBy(session, id, custodian));
    }

    private static boolean isRegisteredBy(Session session, String id, String custodian) throws SQLException {
        return session.first(
                        "SELECT 1 FROM dataset WHERE custodian = ? AND id BETWEEN ? AND ?",
                        row -> true,
                        custodian,
                        id,
                        id)
                .isPresent();
    }

    /** The datasets whose id sorts after {@code after}, in that order, without deleted ones. */
    List<Dataset> list(String after, int limit) {
        return database.read(session -> session.all(
                "SELECT * FROM dataset WHERE id > ? AND state <> 'deleted' ORDER BY id LIMIT ?",
                DatasetCatalog::read,
                after,
                limit));
    }

    /**
     * As {@link #list(String, int)}, of the datasets with one of {@code ids} and those that {@code custodian} registered. The
     * effort depends on these alone, not on how many others there are.
     */
    List<Dataset> list(Set<String> ids, @Nullable String custodian, String after, int limit) {
        return database.read(session -> {
            SortedSet<String> candidates = new TreeSet<>(ids);
            if (custodian != null) {
                candidates.addAll(session.all(
                        "SELECT id FROM dataset WHERE custodian = ? AND id > ? AND state <> 'deleted' ORDER BY id LIMIT ?",
                        row -> row.getString(1),
                        custodian,
                        after,
                        limit));
            }
            List<Dataset> found = new ArrayList<>();
            for (String id : candidates) {
                if (id.compareTo(after) > 0 && found.size() < limit) {
                    find(session, id)
                            .filter(dataset -> dataset.state() != DatasetState.DELETED)
                            .ifPresent(found::add);
                }
            }
            return found;
        });
    }

    /**
     * Claims the dataset for one upload.
     *
     * @throws ProblemException {@code already-exists} if it has data, or another upload is being read
     */
    void beginLoading(String id) {
        boolean claimed = database.write(
                        Database.NO_ACCOUNT,
                        transaction -> transaction.update(
                                "UPDATE dataset SET state = 'loading', loaded_by = ?"
                                        + " WHERE id = ? AND state IN ('registered', 'failed')",
                                instance.value(),
                                id))
                == 1;
        if (!claimed) {
            throw ProblemException.of(
                    ProblemType.ALREADY_EXISTS,
                    "the dataset has its data, or is receiving it: data is put once and never replaced");
        }
    }

    /**
     * Ends an upload of this instance with the dataset ready. In the same transaction its rows become its account's.
     *
     * @param rows none if there were no rows
     * @throws ProblemException {@code already-exists} if they are another account's, unless they are declared public; {@code
     *     not-found} if the dataset was deleted meanwhile; nothing is recorded then
     */
    void confirmLoading(Dataset dataset, Optional<Fingerprint> rows) {
        database.<@Nullable Void>write(Database.NO_ACCOUNT, transaction -> {
            if (!leaveLoading(transaction, dataset.id(), DatasetState.READY)) {
                throw deletedMeanwhile();
            }
            boolean own = rows.isEmpty() || fingerprints.claim(transaction, rows.orElseThrow(), dataset.account());
            if (!own && !dataset.registration().declaredPublic()) {
                // Nothing that tells whose they are, or since when.
                throw ProblemException.of(
                        ProblemType.ALREADY_EXISTS,
                        "the same rows are one account for ever: to put them again, register with sharesAccountWith,"
                                + " or with declaredPublic if they are public or synthetic");
            }
            return null;
        });
    }

    /** Ends an upload of this instance that failed. False if the dataset was deleted meanwhile. */
    boolean endLoading(String id) {
        return database.write(Database.NO_ACCOUNT, transaction -> leaveLoading(transaction, id, DatasetState.FAILED));
    }

    private boolean leaveLoading(Session transaction, String id, DatasetState outcome) throws SQLException {
        return transaction.update(
                        "UPDATE dataset SET state = ? WHERE id = ? AND state = 'loading' AND loaded_by = ?",
                        outcome.label(),
                        id,
                        instance.value())
                == 1;
    }

    static ProblemException deletedMeanwhile() {
        return ProblemException.of(ProblemType.NOT_FOUND, "the dataset was deleted during the upload");
    }

    /**
     * Deletes the data for good. The ledger and the answers stay. Whatever an earlier deletion could not remove is removed by
     * the next one, or by the next start.
     *
     * @throws ProblemException {@code not-found}
     */
    public void delete(String id) {
        requireEvenDeleted(id);
        boolean deleted = database.write(
                        Database.NO_ACCOUNT,
                        transaction -> transaction.update(
                                "UPDATE dataset SET state = 'deleted' WHERE id = ? AND state <> 'deleted'", id))
                == 1;
        events.publishEvent(new DatasetDeleted(id));
        try {
            files.delete(id);
        } catch (IOException failure) {
            throw new UncheckedIOException("the data of a deleted dataset cannot be removed", failure);
        }
        if (!deleted) {
            throw notFound();
        }
    }

    private List<String> torn(Session session) throws SQLException {
        return session.all(
                "SELECT id FROM dataset WHERE state = 'loading' AND loaded_by = ?",
                row -> row.getString(1),
                instance.value());
    }

    private static List<String> deleted(Session session) throws SQLException {
        return session.all("SELECT id FROM dataset WHERE state = 'deleted'", row -> row.getString(1));
    }

    private static void insert(
            Session transaction, String id, String account, String custodian, Instant at, byte[] body)
            throws SQLException {
        transaction.update(
                "INSERT INTO dataset (id, account, custodian, registered_at_millis, state, registration)"
                        + " VALUES (?, ?, ?, ?, 'registered', ?)",
                id,
                account,
                custodian,
                at.toEpochMilli(),
                body);
    }

    private static Optional<Dataset> find(Session session, String id) throws SQLException {
        return session.first("SELECT * FROM dataset WHERE id = ?", DatasetCatalog::read, id);
    }

    private static Dataset read(ResultSet row) throws SQLException {
        return new Dataset(
                JsonDocument.parse(row.getBytes("registration")).read(RegistrationReader::read),
                row.getString("account"),
                DatasetState.ofLabel(row.getString("state")),
                row.getString("custodian"),
                Instant.ofEpochMilli(row.getLong("registered_at_millis")));
    }
}
