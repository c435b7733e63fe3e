package dev.purser.dataset;

import dev.purser.ledger.BudgetLedger;
import dev.purser.privacy.Neighborhood;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import dev.purser.store.Database;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** Registers datasets. */
@Service
public class DatasetRegistrar {
    private final Database database;
    private final DatasetTable table;
    private final BudgetLedger ledger;
    private final Fingerprints fingerprints;
    private final TableSources tables;
    private final Clock clock;

    DatasetRegistrar(
            Database database,
            DatasetTable table,
            BudgetLedger ledger,
            Fingerprints fingerprints,
            TableSources tables,
            Clock clock) {
        this.database = database;
        this.table = table;
        this.ledger = ledger;
        this.fingerprints = fingerprints;
        this.tables = tables;
        this.clock = clock;
    }

    /**
     * Registers a dataset and opens its account, in one transaction. A dataset that reads a table or has blocks is
     * ready at once. Its blocks have states of their own.
     *
     * @param body the bytes that {@code registration} was read from
     * @throws ProblemException {@code already-exists} if the id was ever used, or its table belongs to another account
     *     and is not declared public; {@code validation-failed} if the account to share is not the custodian's or was
     *     registered with another budget, accountant, relation or privacy unit, or the table does not match the
     *     registration; {@code temporarily-unavailable} if the table's database does not answer
     */
    public Dataset register(Registration registration, byte[] body, String custodian) {
        tables.check(registration);
        Instant now = clock.instant();
        Optional<String> shared =
                registration.sharesAccountWith().map(other -> sharedAccount(registration, other, custodian));
        database.write(shared.orElse(registration.id()), transaction -> {
            if (JournaledDatasets.DATASETS.find(transaction, registration.id()).isPresent()) {
                throw ProblemException.of(
                        ProblemType.ALREADY_EXISTS,
                        "the id \"" + registration.id() + "\" is or was in use: ids are never used again");
            }
            if (shared.isEmpty()) {
                openAccount(transaction, registration, custodian);
            }
            String account = shared.orElse(registration.id());
            if (registration.source() instanceof Source.Table source) {
                requireOwn(transaction, registration, source, account);
            }
            boolean loadedAtOnce = registration.source() instanceof Source.Upload
                    && registration.blocks().isEmpty();
            DatasetState state = loadedAtOnce ? DatasetState.REGISTERED : DatasetState.READY;
            DatasetTable.insert(transaction, registration, body, account, custodian, now, state);
            return account;
        });
        return table.find(database, registration.id()).orElseThrow();
    }

    private void requireOwn(StoreConnection transaction, Registration registration, Source.Table source, String account)
            throws SQLException {
        boolean own;
        try {
            own = fingerprints.claim(transaction, source, account);
        } catch (Fingerprints.KeyMissing missing) {
            throw missing.problem();
        }
        if (!own && registration.blocks().isPresent()) {
            throw ProblemException.of(
                    ProblemType.ALREADY_EXISTS,
                    "the table has an account: a table is registered with blocks first or never");
        }
        if (!own && !registration.declaredPublic()) {
            throw ProblemException.of(
                    ProblemType.ALREADY_EXISTS,
                    "the same table stays with one account for ever: to read it again, register with"
                            + " sharesAccountWith, or with declaredPublic if its rows are public or synthetic");
        }
    }

    private void openAccount(StoreConnection transaction, Registration registration, String custodian)
            throws SQLException {
        ledger.open(
                transaction,
                registration.id(),
                registration.accountant(),
                LimitReader.inUnits(registration.budget(), registration.accountant(), "/budget"),
                registration.blocks().map(BlockDivision::blocks).orElse(null),
                custodian);
    }

    /**
     * The account of another dataset. The facts of that dataset never change, so they can be read before the
     * transaction.
     */
    private String sharedAccount(Registration registration, String other, String custodian) {
        Dataset shared = database.read(connection -> DatasetTable.OWNED.isOwnedBy(connection, other, custodian)
                        ? table.find(connection, other)
                        : Optional.<Dataset>empty())
                .orElseThrow(() -> refusedSharing("there is no dataset \"" + other + "\" of yours to share with"));
        if (shared.blocks().isPresent()) {
            throw refusedSharing("\"" + other + "\" has blocks, and an account with blocks is not shared");
        }
        Neighborhood neighborhood = new Neighborhood(registration.neighboringRelation(), registration.privacyUnit());
        String accountant = shared.registration().accountant().name();
        if (!accountant.equals(registration.accountant().name())
                || !shared.registration().budget().equals(registration.budget())
                || !shared.neighborhood().equals(neighborhood)) {
            // Epsilons only add up under one neighbouring relation and one privacy unit.
            throw refusedSharing(
                    "an account is shared unchanged: budget, accountant, neighboringRelation and privacyUnit"
                            + " must be those that \"" + other + "\" was registered with");
        }
        return shared.account();
    }

    private static ProblemException refusedSharing(String detail) {
        return ProblemException.validation(Violation.atPointer("/sharesAccountWith", detail));
    }
}
