package dev.purser.dataset;

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
     * @throws StartupRefusal if earlier fingerprints were made with another secret, so that no rows would be recognised
     */
    Fingerprints(Database database, FingerprintSecret secret) {
        this.secret = secret;
        String known = database.write(Database.NO_ACCOUNT, transaction -> {
            transaction.update(
                    "INSERT INTO fingerprint_key (singleton, check_value) VALUES (1, ?) ON CONFLICT DO NOTHING",
                    secret.checkValue());
            return transaction
                    .first("SELECT check_value FROM fingerprint_key", row -> row.getString(1))
                    .orElseThrow();
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
        transaction.update(
                "INSERT INTO fingerprint (fingerprint, account) VALUES (?, ?) ON CONFLICT DO NOTHING",
                rows.hex(),
                account);
        return transaction
                .first("SELECT account FROM fingerprint WHERE fingerprint = ?", row -> row.getString(1), rows.hex())
                .orElseThrow()
                .equals(account);
    }
}
