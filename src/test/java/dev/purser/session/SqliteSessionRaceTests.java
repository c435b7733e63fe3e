package dev.purser.session;

import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.util.List;

/** Two instances of everything above one database object, because only one process at a time opens the file. */
class SqliteSessionRaceTests extends SessionRaceContract {
    @Override
    List<Database> open(Path home) {
        Database database = new Database(new PurserHome(home));
        return List.of(database, database);
    }
}
