package dev.purser.dataset;

import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.util.List;

/** Fingerprint keys of one process, which change while it runs. */
class RotatedFingerprintKeysTests extends RotatedFingerprintKeysContract {
    @Override
    List<Database> open(Path folder) {
        Database database = new Database(new PurserHome(folder.resolve("home")));
        return List.of(database, database);
    }
}
