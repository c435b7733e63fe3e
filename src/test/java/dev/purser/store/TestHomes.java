package dev.purser.store;

import dev.purser.Leftovers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** Homes whose ledger has its tables already. The ledger is a copy, so no test waits for the migrations. */
public final class TestHomes {
    private TestHomes() {}

    /** The home in this folder, made there if there is no home. */
    public static PurserHome at(Path folder) {
        PurserHome home = new PurserHome(folder);
        Path ledger = home.path().resolve(Template.LEDGER.getFileName());
        try {
            if (!Files.exists(ledger)) {
                Files.copy(Template.LEDGER, ledger);
            }
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
        return home;
    }

    private static final class Template {
        private static final Path LEDGER = migrated();

        private static Path migrated() {
            try {
                PurserHome home = new PurserHome(Leftovers.newFolder("template"));
                new Database(home).close();
                return home.path().resolve("ledger.db");
            } catch (IOException | SQLException failure) {
                throw new AssertionError(failure);
            }
        }
    }
}
