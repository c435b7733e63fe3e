package dev.purser.dataset.parser;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Loads DuckDB's native library without littering the temporary folder.
 *
 * <p>The driver unpacks 60 MB into a file of the temporary folder, has no setting for another place, and deletes the file when
 * the process ends in order. A killed process leaves it. So we delete our own copy as soon as it is loaded, which Linux permits:
 * the mapping stays. If we are killed between unpacking and deleting, a later start removes the copy, once it is older than
 * {@link #ORPHANED_AFTER}; until then it could be one that another process, slow or stopped, is about to load. Ages are told by
 * the file system's clock: a start whose own clock is wrong would take away what its neighbours unpack.
 */
final class DuckDbLibrary {
    static final Duration ORPHANED_AFTER = Duration.ofMinutes(10);

    private static final Pattern UNPACKED = Pattern.compile("libduckdb_java\\d+\\.so");
    private static final Path OWN_MAPPINGS = Path.of("/proc/self/maps");

    /** However many processors there are: each thread reserves addresses, of which a parser has few. */
    private static final Properties ONE_THREAD = oneThread();

    private static boolean loaded;

    private DuckDbLibrary() {}

    private static Properties oneThread() {
        Properties properties = new Properties();
        properties.setProperty("threads", "1");
        return properties;
    }

    /** Loads the library if this process has not yet. */
    static synchronized void load() throws SQLException {
        if (loaded) {
            return;
        }
        sweepOrphans(Path.of(System.getProperty("java.io.tmpdir")));
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:", ONE_THREAD)) {
            loaded = !connection.isClosed();
        }
        deleteOwnCopy();
    }

    /** Deletes unpacked copies in {@code folder} that no living process can still be about to load. */
    static void sweepOrphans(Path folder) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, DuckDbLibrary::isUnpackedCopy)) {
            Instant limit = now(folder).minus(ORPHANED_AFTER);
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            // Someone else's copy, or gone meanwhile: only tidiness is lost.
        }
    }

    private static Instant now(Path folder) throws IOException {
        Path fresh = Files.createTempFile(folder, "purser", null);
        try {
            return Files.getLastModifiedTime(fresh).toInstant();
        } finally {
            Files.delete(fresh);
        }
    }

    private static void deleteOwnCopy() {
        if (!Files.isReadable(OWN_MAPPINGS)) {
            return;
        }
        try {
            for (Path copy : ownCopies()) {
                Files.deleteIfExists(copy);
            }
        } catch (IOException e) {
            // The driver deletes it at the end of the process, or a later start does.
        }
    }

    private static List<Path> ownCopies() throws IOException {
        try (Stream<String> mappings = Files.lines(OWN_MAPPINGS)) {
            return mappings.filter(line -> line.indexOf('/') >= 0)
                    .map(line -> line.substring(line.indexOf('/')))
                    .distinct()
                    .map(Path::of)
                    .filter(DuckDbLibrary::isUnpackedCopy)
                    .toList();
        }
    }

    private static boolean isUnpackedCopy(Path file) {
        return UNPACKED.matcher(String.valueOf(file.getFileName())).matches();
    }
}
