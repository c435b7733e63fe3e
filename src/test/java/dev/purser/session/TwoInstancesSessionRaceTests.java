package dev.purser.session;

import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("full")
class TwoInstancesSessionRaceTests extends SessionRaceContract {
    @Override
    List<Database> open(Path home) {
        LedgerSettings settings = PostgresServer.shared().newDatabase();
        return List.of(
                new Database(new PurserHome(home.resolve("one")), settings),
                new Database(new PurserHome(home.resolve("two")), settings));
    }
}
