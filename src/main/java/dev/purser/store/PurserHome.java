package dev.purser.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * The folder that holds all files of the service. It creates folders with mode 0700 and files with mode 0600. On file
 * systems without POSIX permissions the folder's own access rules apply instead.
 */
@Component
public final class PurserHome {
    /** A file that stands in a home while a restore is not complete. No service starts on such a home. */
    public static final String RESTORING = "restore.unfinished";

    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final Set<PosixFilePermission> OWNER_ONLY_FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNER_ONLY_FILE = PosixFilePermissions.fromString("rw-------");

    private final Path path;

    /**
     * @param accepting whether this run only accepts a restored ledger, which has to exist before the home is created
     */
    @Autowired
    PurserHome(StoreSettings settings, @Value(Database.ACCEPTING) boolean accepting) {
        this(chosen(settings, accepting));
    }

    private static Path chosen(StoreSettings settings, boolean accepting) {
        if (accepting) {
            settings.requireLedger();
        }
        Path home = Path.of(settings.home());
        requireRestored(home);
        return home;
    }

    /** @throws StartupRefusal if a restore into this folder was begun and not completed */
    public static void requireRestored(Path home) {
        if (Files.exists(home.resolve(RESTORING))) {
            throw new StartupRefusal(
                    "A restore into " + home + " was not completed.",
                    "Empty the folder, then run the command restore again.");
        }
    }

    /** Creates the folder if it is missing, and withdraws all permissions from others. */
    public PurserHome(Path path) {
        this.path = path.toAbsolutePath().normalize();
        try {
            createFolders(this.path);
            if (POSIX && !Files.getPosixFilePermissions(this.path).equals(OWNER_ONLY_FOLDER)) {
                Files.setPosixFilePermissions(this.path, OWNER_ONLY_FOLDER);
            }
        } catch (IOException failure) {
            throw new StartupRefusal(
                    "The folder " + this.path + " cannot be used: " + failure,
                    "Set PURSER_HOME to a folder that this user may create and write.",
                    failure);
        }
    }

    public Path path() {
        return path;
    }

    /** The folder with this path under the home, created with all its parents. */
    public Path directory(String first, String... more) {
        Path folder = path.resolve(Path.of(first, more)).normalize();
        if (!folder.startsWith(path)) {
            throw new IllegalArgumentException("a folder outside the home");
        }
        try {
            createFolders(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return folder;
    }

    /**
     * Replaces {@code file} as a whole. The bytes are durable when this returns. If we stop before, the next start
     * finds the old file or the new file as a whole, and perhaps a leftover {@code .tmp} file beside it.
     */
    public void writePrivately(Path file, byte[] bytes) {
        try {
            Path folder = parentOf(file);
            Path temporary = Files.createTempFile(folder, "." + file.getFileName(), ".tmp", ownerOnly(OWNER_ONLY_FILE));
            try {
                writeDurably(temporary, bytes);
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException failure) {
                Files.deleteIfExists(temporary);
                throw failure;
            }
            // Without this, a power failure could bring the old file back.
            syncDirectory(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void writeDurably(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }

    /** Creates an empty file that only its owner can access, unless it exists. */
    static void createPrivately(Path file) throws IOException {
        try {
            Files.createFile(file, ownerOnly(OWNER_ONLY_FILE));
        } catch (FileAlreadyExistsException exists) {
            // The file keeps the permissions it was created with.
        }
    }

    /** Makes a folder's entries durable: files created, renamed or deleted in it stay so after a power failure. */
    public static void syncDirectory(Path folder) throws IOException {
        if (POSIX) {
            syncFile(folder);
        }
    }

    /** Makes a file's bytes durable. */
    public static void syncFile(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void createFolders(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        createFolders(parentOf(folder));
        try {
            Files.createDirectory(folder, ownerOnly(OWNER_ONLY_FOLDER));
        } catch (FileAlreadyExistsException raced) {
            if (!Files.isDirectory(folder)) {
                throw raced;
            }
        }
        syncDirectory(parentOf(folder));
    }

    static Path parentOf(Path path) throws IOException {
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IOException(path + " has no parent folder");
        }
        return parent;
    }

    /** The attributes of a folder that only its owner can enter. */
    static FileAttribute<?>[] ownerOnlyFolder() {
        return ownerOnly(OWNER_ONLY_FOLDER);
    }

    private static FileAttribute<?>[] ownerOnly(Set<PosixFilePermission> permissions) {
        return POSIX
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}
