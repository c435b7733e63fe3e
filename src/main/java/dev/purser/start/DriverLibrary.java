package dev.purser.start;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The native library of DuckDB's driver, taken out of the driver's jar once. Out of its jar the driver unpacks 60 MB in each process
 * that loads it; if the jar has no library, and neither has the system, it loads the one
 * beside the jar.
 */
public final class DriverLibrary {
    private static final String LIBRARIES = "libduckdb_java.so_*";

    private DriverLibrary() {}

    /**
     * Lays the library of this platform beside the driver's jar, and leaves the jar without any.
     *
     * @param folder where the jars of the service are
     * @throws NoSuchFileException if there is no driver, or it has no library for this platform
     */
    public static void takeOut(Path folder) throws IOException {
        Path driver = only(folder, "duckdb_jdbc-*.jar");
        try (FileSystem jar = FileSystems.newFileSystem(driver)) {
            Path root = jar.getPath("/");
            Path own = only(root, LIBRARIES.replace("*", "linux_" + architecture()));
            Files.copy(own, driver.resolveSibling(own.getFileName().toString()));
            try (DirectoryStream<Path> libraries = Files.newDirectoryStream(root, LIBRARIES)) {
                for (Path library : libraries) {
                    Files.delete(library);
                }
            }
        }
    }

    private static Path only(Path folder, String pattern) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, pattern)) {
            for (Path one : found) {
                return one;
            }
        }
        throw new NoSuchFileException(folder.resolve(pattern).toString());
    }

    /** As the driver calls it. */
    private static String architecture() {
        String name = System.getProperty("os.arch");
        return name.equals("aarch64") ? "arm64" : name;
    }
}
