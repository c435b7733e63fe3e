package dev.purser.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library. The driver unpacks it and deletes it when Java ends, so a killed process would leave
 * it behind. Here it is unpacked into the caller's folder and deleted once it is loaded. If a process is killed between
 * these steps, the next process deletes the file.
 */
final class SqliteLibrary {
    private static final String FOLDER = "org.sqlite.tmpdir";
    private static boolean loaded;

    private SqliteLibrary() {}

    /**
     * Loads the library, unless it is loaded. If the operator sets {@code org.sqlite.tmpdir}, it is unpacked there.
     *
     * @param folder a folder for the library alone, which is created and deleted here
     */
    static synchronized void load(Path folder) throws IOException {
        if (loaded || System.getProperty(FOLDER) != null) {
            return;
        }
        delete(folder);
        Files.createDirectory(folder, PurserHome.ownerOnlyFolder());
        System.setProperty(FOLDER, folder.toString());
        try {
            SQLiteJDBCLoader.initialize();
            loaded = true;
        } catch (Exception failure) {
            throw new IOException(
                    "SQLite's library cannot be loaded from " + folder
                            + "; if this file system is mounted noexec, name another folder with -D" + FOLDER + ": "
                            + failure.getMessage(),
                    failure);
        } finally {
            System.clearProperty(FOLDER);
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(folder);
        }
    }
}
