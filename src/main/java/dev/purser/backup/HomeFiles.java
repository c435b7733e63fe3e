package dev.purser.backup;

import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of a home that a backup has. */
final class HomeFiles {
    static final String ANCHOR = "ledger.anchor";
    static final String DATABASE = "ledger.db";
    /** The folder of the rows in a backup. The service may have them in another folder. */
    static final String ROWS = "datasets";

    private HomeFiles() {}

    /** The keys and other small files: all files except the ledger and the leftovers of a killed process. */
    static List<String> small(Path home) throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.startsWith("ledger.") && Manifest.mayName(name))
                    .sorted()
                    .toList();
        }
    }

    /** @throws StartupRefusal if the folder exists and is not empty */
    static void requireEmpty(Path folder, String action) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                if (files.findAny().isPresent()) {
                    throw new StartupRefusal("The folder " + folder + " is not empty.", action);
                }
            }
        }
    }
}
