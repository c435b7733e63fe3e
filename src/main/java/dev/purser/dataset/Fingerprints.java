package dev.purser.dataset;

import dev.purser.journal.Chain;
import dev.purser.journal.Journal;
import dev.purser.journal.JournaledRow;
import dev.purser.ledger.BudgetLedger;
import dev.purser.store.Database;
import dev.purser.store.StartupRefusal;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import org.springframework.stereotype.Component;

/**
 * Records the account of all uploaded rows and of all registered tables. The first account keeps its rows permanently,
 * even after the dataset is deleted. If they could be uploaded again under another account, that would be a second
 * budget for the same people.
 */
@Component
class Fingerprints {
    private final FingerprintSecret secret;

    /**
     * @param ledger its guard has to compare the journal with the database first
     * @throws StartupRefusal if earlier fingerprints were made with another secret, so that no rows would be recognised
     */
    Fingerprints(Database database, @SuppressWarnings("unused") BudgetLedger ledger, FingerprintSecret secret) {
        this.secret = secret;
        String known = database.write(Chain.ACCESS.name(), transaction -> {
            boolean isNew = transaction.update(
                            "INSERT INTO fingerprint_key (singleton, check_value) VALUES (1, ?)"
                                    + " ON CONFLICT DO NOTHING",
                            secret.checkValue())
                    == 1;
            String stored = transaction
                    .first("SELECT check_value FROM fingerprint_key", row -> row.getString(1))
                    .orElseThrow();
            check(transaction, Chain.ACCESS, JournaledDatasets.fingerprintKey(stored), isNew);
            return stored;
        });
        if (!known.equals(secret.checkValue())) {
            throw new StartupRefusal(
                    "The fingerprint key is not the one that this ledger was created with.",
                    "Set PURSER_FINGERPRINT_KEY to that key, the same for all instances, or restore fingerprint.key.");
        }
    }

    /** As {@link #claim(StoreConnection, Fingerprint, String)}, by the table's name, because its rows may change. */
    boolean claim(StoreConnection transaction, Source.Table table, String account) throws SQLException {
        return claim(transaction, secret.ofTable(table), account);
    }

    /**
     * Records rows for an account, unless they are recorded already.
     *
     * @return whether they belong to this account. If several accounts claim the same rows at once, one gets them
     */
    boolean claim(StoreConnection transaction, Fingerprint rows, String account) throws SQLException {
        boolean isNew = transaction.update(
                        "INSERT INTO fingerprint (fingerprint, account) VALUES (?, ?) ON CONFLICT DO NOTHING",
                        rows.hex(),
                        account)
                == 1;
        String owner = transaction
                .first("SELECT account FROM fingerprint WHERE fingerprint = ?", row -> row.getString(1), rows.hex())
                .orElseThrow();
        check(transaction, Chain.ofAccount(owner), JournaledDatasets.fingerprint(rows.hex(), owner), isNew);
        return owner.equals(account);
    }

    /** Records a new row, unless it was recorded before and then removed. An older one has to be as it was recorded. */
    private static void check(StoreConnection transaction, Chain chain, JournaledRow row, boolean isNew)
            throws SQLException {
        Journal journal = new Journal(transaction);
        if (isNew) {
            journal.requireNever(row.object());
            journal.record(chain, row);
        } else {
            journal.require(row);
        }
    }
}
