package dev.purser.start;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import org.springframework.util.FileSystemUtils;

/**
 * Makes a {@link PreparedStart}: the caller fills its folder between {@link #begin} and {@link #complete}. Meanwhile nothing is
 * complete, and no other process prepares there.
 */
public final class Preparation implements AutoCloseable {
    private static final Set<OpenOption> SEAL_OPTIONS = Set.of(
            StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final PreparedStart start;
    private final FileChannel seal;
    private final String origin;

    private Preparation(PreparedStart start, FileChannel seal, String origin) {
        this.start = start;
        this.seal = seal;
        this.origin = origin;
    }

    /**
     * Makes the folder, or empties one that was made so.
     *
     * @throws FileSystemException if it is somebody else's, holds anything else, or is being filled by another process
     * @throws IOException if it cannot be made or emptied, or the jar not be read
     */
    public static Preparation begin(PreparedStart start) throws IOException {
        Files.createDirectories(start.folder());
        requireOwn(start.folder());
        if (start.places().size() > 1 && !isMarked(start)) {
            throw new FileSystemException(start.folder().toString(), null, "not empty, and nothing prepared");
        }
        // What others can write to could become anything meanwhile.
        Files.setPosixFilePermissions(start.folder(), PosixFilePermissions.fromString("rwx------"));
        FileChannel seal = FileChannel.open(start.seal(), SEAL_OPTIONS);
        try {
            requireAlone(start, seal);
            write(seal, PreparedStart.MARK);
            String origin = start.origin();
            for (Path place : start.places()) {
                if (!place.equals(start.folder()) && !place.equals(start.seal())) {
                    FileSystemUtils.deleteRecursively(place);
                }
            }
            return new Preparation(start, seal, origin);
        } catch (IOException | RuntimeException failure) {
            seal.close();
            throw failure;
        }
    }

    /** A folder that others made could lead anywhere. */
    private static void requireOwn(Path folder) throws IOException {
        Object owner = Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (Files.isSymbolicLink(folder) || !owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            throw new FileSystemException(folder.toString(), null, "somebody else's folder");
        }
    }

    /** Whether it was made for this, if only its seal before that was written. */
    private static boolean isMarked(PreparedStart start) throws IOException {
        if (!Files.isRegularFile(start.seal(), LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        if (Files.size(start.seal()) == 0) {
            return start.places().size() == 2;
        }
        byte[] mark = PreparedStart.MARK.getBytes(StandardCharsets.UTF_8);
        try (InputStream seal = Files.newInputStream(start.seal())) {
            return Arrays.equals(seal.readNBytes(mark.length), mark);
        }
    }

    private static void requireAlone(PreparedStart start, FileChannel seal) throws IOException {
        FileLock lock;
        try {
            lock = seal.tryLock();
        } catch (OverlappingFileLockException own) {
            lock = null;
        }
        if (lock == null) {
            throw new FileSystemException(start.folder().toString(), null, "being prepared by another process");
        }
    }

    /**
     * Makes all parts durable, readable for whoever may read the jar and writable for nobody else, and says that they are there.
     *
     * @throws FileSystemException if the jar is another one than at the beginning
     * @throws IOException if anything cannot be written
     */
    public void complete() throws IOException {
        for (Path place : start.places()) {
            boolean isFolder = Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS);
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(isFolder ? "rwxr-xr-x" : "rw-r--r--"));
            try (FileChannel part = FileChannel.open(place, StandardOpenOption.READ)) {
                part.force(true);
            }
        }
        if (!start.origin().equals(origin)) {
            throw new FileSystemException(start.packaged().toString(), null, "replaced while it was prepared");
        }
        write(seal, origin.concat(start.contents()));
    }

    private static void write(FileChannel seal, String text) throws IOException {
        // The mark, which all texts begin with, is never gone, whatever happens meanwhile.
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
            seal.write(bytes, bytes.position());
        }
        seal.truncate(bytes.limit());
        seal.force(true);
    }

    /** Lets others prepare there. */
    @Override
    public void close() throws IOException {
        seal.close();
    }
}
