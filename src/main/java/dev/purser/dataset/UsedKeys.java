package dev.purser.dataset;

import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.List;

/** The check values of the secrets under which fingerprints were recorded. */
final class UsedKeys {
    private UsedKeys() {}

    /** All, in the order of their first use. */
    static List<String> in(StoreConnection connection) throws SQLException {
        return connection.all(
                "SELECT check_value FROM used_fingerprint_key ORDER BY position", row -> row.getString(1));
    }

    /**
     * All, for a transaction that may add one. Other such transactions wait until this one has ended, and then see what
     * it did.
     */
    static List<String> locked(StoreConnection transaction) throws SQLException {
        transaction.update("UPDATE used_fingerprint_key SET position = position WHERE position = 1");
        return in(transaction);
    }

    static void add(StoreConnection transaction, int position, String checkValue) throws SQLException {
        transaction.update(
                "INSERT INTO used_fingerprint_key (position, check_value) VALUES (?, ?)", position, checkValue);
    }
}
