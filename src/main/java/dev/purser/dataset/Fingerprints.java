package dev.purser.dataset;

import dev.purser.dataset.JournaledDatasets.OwnedRows;
import dev.purser.journal.Chain;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import static dev.purser.dataset.JournaledDatasets.FINGERPRINTS;

/**
 * Records the account of all uploaded rows and of all registered tables. The first account keeps its rows permanently,
 * even after the dataset is deleted. If they could be uploaded again under another account, that would be a second
 * budget for the same people.
 *
 * <p>Rows are recorded once, under the secret that was the newest then. Therefore a claim has to state the fingerprints
 * of the rows under every secret that was ever used. This is checked in the transaction of the claim, and claims wait
 * for each other.
 */
@Component
class Fingerprints {
    private static final Logger LOG = LoggerFactory.getLogger(Fingerprints.class);

    private final FingerprintKeys keys;

    Fingerprints(FingerprintKeys keys) {
        this.keys = keys;
    }

    /**
     * A fingerprint under a secret that was used is missing. Nothing is recorded, and changes of the transaction are
     * undone.
     */
    static final class KeyMissing extends RuntimeException {
        private static final long serialVersionUID = 1;

        KeyMissing() {
            super("rows are not known under every key", null, false, false);
        }

        ProblemException problem() {
            LOG.warn(
                    "rows were not claimed: a fingerprint key was rotated meanwhile, or is not known to this instance");
            return ProblemException.of(
                    ProblemType.TEMPORARILY_UNAVAILABLE,
                    "a key of the service was changed meanwhile; send the request again");
        }
    }

    /**
     * As {@link #claim(StoreConnection, List, String)}, for a table. Its name is recorded, because its rows may change.
     */
    boolean claim(StoreConnection transaction, Source.Table table, String account) throws SQLException {
        List<Fingerprint> all =
                keys.now().stream().map(secret -> secret.ofTable(table)).toList();
        return claim(transaction, all, account);
    }

    /**
     * Records rows for an account, unless they are recorded already.
     *
     * @param rows the fingerprints of the same rows under every known secret, newest first
     * @return whether the rows belong to this account. If several accounts claim the same rows at once, one gets them
     * @throws KeyMissing if a secret was used under which {@code rows} has no fingerprint
     */
    boolean claim(StoreConnection transaction, List<Fingerprint> rows, String account) throws SQLException {
        List<String> used = UsedKeys.locked(transaction);
        if (!rows.stream().map(Fingerprint::key).toList().containsAll(used)) {
            throw new KeyMissing();
        }
        List<String> owners = new ArrayList<>();
        for (Fingerprint each : rows) {
            FINGERPRINTS.find(transaction, each.hex()).map(OwnedRows::account).ifPresent(owners::add);
        }
        if (owners.isEmpty()) {
            record(transaction, rows.getFirst(), account, used);
        }
        return owners.stream().allMatch(account::equals);
    }

    private static void record(StoreConnection transaction, Fingerprint rows, String account, List<String> used)
            throws SQLException {
        if (!used.contains(rows.key())) {
            UsedKeys.add(transaction, used.size() + 1, rows.key());
        }
        FINGERPRINTS.insert(transaction, Chain.ofAccount(account), new OwnedRows(rows.hex(), account));
    }
}
