package dev.purser.journal;

import dev.purser.store.Database;
import java.util.List;

/** Records changes that a test made in the database, as if the service had written them. */
public final class Recorded {
    private Recorded() {}

    /** Records the present content of all rows of these kinds. */
    public static void everything(Database database, List<JournaledRows> kinds) {
        database.write(Database.NO_ACCOUNT, connection -> {
            for (JournaledRows rows : kinds) {
                for (Chain chain : rows.chains(connection)) {
                    rows.each(connection, chain, row -> new Journal(connection).record(chain, row));
                }
            }
            return null;
        });
    }
}
