package dev.purser.dataset;

import dev.purser.journal.Chain;
import dev.purser.journal.Journal;
import dev.purser.journal.JournaledRow;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.List;

/** The check values of the secrets under which fingerprints were recorded. */
final class UsedKeys {
    private UsedKeys() {}

    /** All check values, in the order of their first use. */
    static List<String> in(StoreConnection connection) throws SQLException {
        List<String> used = connection.all(
                "SELECT check_value FROM used_fingerprint_key ORDER BY position", row -> row.getString(1));
        for (int i = 0; i < used.size(); i++) {
            new Journal(connection).require(JournaledDatasets.fingerprintKey(i + 1, used.get(i)));
        }
        new Journal(connection)
                .requireNever(
                        JournaledDatasets.fingerprintKey(used.size() + 1, "").object());
        return used;
    }

    /**
     * All check values, for a transaction that may add one. Other such transactions wait until this transaction has
     * ended, and then see its changes.
     */
    static List<String> locked(StoreConnection transaction) throws SQLException {
        transaction.update("UPDATE used_fingerprint_key SET position = position WHERE position = 1");
        return in(transaction);
    }

    static void add(StoreConnection transaction, int position, String checkValue) throws SQLException {
        int added = transaction.update(
                "INSERT INTO used_fingerprint_key (position, check_value) VALUES (?, ?) ON CONFLICT DO NOTHING",
                position,
                checkValue);
        if (added == 1) {
            JournaledRow row = JournaledDatasets.fingerprintKey(position, checkValue);
            new Journal(transaction).requireNever(row.object());
            new Journal(transaction).record(Chain.ACCESS, row);
        }
    }
}
