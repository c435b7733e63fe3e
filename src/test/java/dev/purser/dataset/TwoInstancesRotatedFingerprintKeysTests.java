package dev.purser.dataset;

import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * Fingerprint keys of two instances on one PostgreSQL, whose configured keys are exchanged one instance after the
 * other.
 */
@Tag("full")
class TwoInstancesRotatedFingerprintKeysTests extends RotatedFingerprintKeysContract {
    @Override
    List<Database> open(Path folder) {
        LedgerSettings shared = PostgresServer.shared().newDatabase();
        return List.of(
                new Database(new PurserHome(folder.resolve("one")), shared),
                new Database(new PurserHome(folder.resolve("other")), shared));
    }
}
