package dev.purser.dataset;

import dev.purser.rows.RowsFile;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the rows: one folder per dataset under one root, which only the service's own user can read. Several
 * instances may share the root, so an unfinished upload has the instance's id in its name.
 *
 * <pre>
 * root/adult/rows.columns               the finished rows, a {@link RowsFile}; it exists whole or not at all
 * root/meters/block-17.columns          the finished rows of one block, in the same way
 * root/adult/upload-5f…/rows.columns    an unfinished upload of instance 5f…, with its temporary files
 * root/meters/upload-5f….block-17/      the same of a block
 * root/checks.5f…/                      temporary files of checks by instance 5f…; no id of a dataset has a point
 * </pre>
 *
 * One rename of a durable file turns an upload into finished rows. If the process dies before the rename, its next
 * start finds an upload folder and {@link #sweepTornUploads removes} it. If it dies after the rename and before the
 * rows are declared ready, {@link DatasetLoading} removes them at the next start.
 */
public final class DatasetFiles {
    private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,62}");
    private static final Pattern FINISHED = Pattern.compile("rows\\.columns|block-[0-9]+\\.columns");
    private static final int MAX_ATTEMPTS = 100;
    private static final String ROWS = "rows.columns";
    private static final Set<PosixFilePermission> OWNER_FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNER_FOLDER = PosixFilePermissions.fromString("rwx------");

    private final Path root;
    private final String uploadFolder;
    private final Path checks;

    /** Creates {@code root} if it is missing. */
    public DatasetFiles(Path root, InstanceId instance) throws IOException {
        uploadFolder = "upload-" + instance.value();
        this.root = root.toAbsolutePath().normalize();
        checks = this.root.resolve("checks." + instance.value());
        createFolder(this.root);
        Path parent = this.root.getParent();
        if (parent != null) {
            PurserHome.syncDirectory(parent);
        }
    }

    Path root() {
        return root;
    }

    /** The finished rows under a root, as paths below it, whose first name is the id of their dataset. */
    public static List<Path> finished(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> files =
                Files.find(root, 2, (path, attributes) -> attributes.isRegularFile(), FileVisitOption.FOLLOW_LINKS)) {
            return files.map(root::relativize)
                    .filter(file -> file.getNameCount() == 2
                            && ID.matcher(file.getName(0).toString()).matches()
                            && FINISHED.matcher(file.getName(1).toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    /** The finished rows that exist according to the ledger's database, as {@link #finished}. */
    public static Set<Path> ready(Database database) {
        return database.read(reader -> Stream.concat(
                        DatasetTable.ready(reader).stream(), LoadedBlocks.rowsDigests(reader).keySet().stream())
                .map(part -> Path.of(part.dataset(), nameOf(part)))
                .collect(Collectors.toSet()));
    }

    private static String nameOf(RowsPart part) {
        return part.block().isEmpty() ? ROWS : "block-" + part.block().getAsInt() + ".columns";
    }

    /** The finished rows of a dataset without blocks. The file exists once an upload was committed. */
    public Path data(String id) {
        return data(RowsPart.all(id));
    }

    /** The finished rows of a block of a dataset. The file exists once an upload of the block was committed. */
    public Path data(String id, int block) {
        return data(RowsPart.of(id, block));
    }

    private Path data(RowsPart part) {
        return folder(part.dataset()).resolve(nameOf(part));
    }

    /** Whether this instance can read the rows, which may be in a folder that is not mounted here. */
    public boolean isPresent(RowsPart part) {
        return Files.isRegularFile(data(part));
    }

    /**
     * Why rows are not the loaded rows, as the end of a sentence about them; empty if they are. Only the first bytes
     * and the length of their file are compared.
     *
     * @param digest the recorded digest of the file; null if none was recorded
     */
    Optional<String> faultOf(RowsPart part, @Nullable String digest) {
        if (digest == null) {
            return Optional.empty();
        }
        if (!isPresent(part)) {
            return Optional.of("are missing: there is no file " + root.relativize(data(part)));
        }
        try {
            if (!digest.equals(RowsFile.digestOf(data(part)))) {
                return Optional.of("are not those that it was loaded with");
            }
            return RowsFile.isWhole(data(part))
                    ? Optional.empty()
                    : Optional.of("have lost a part, or got one: their file has another length than it states");
        } catch (IOException unreadable) {
            return Optional.of("are not those that it was loaded with");
        }
    }

    /**
     * The file that an upload writes and {@link #commit} turns into finished rows. Creates its folder and removes what
     * an earlier upload left.
     */
    public Path upload(RowsPart part) throws IOException {
        Path upload = uploadFolder(part);
        deleteTree(upload);
        createFolder(folder(part.dataset()));
        createFolder(upload);
        return upload.resolve(ROWS);
    }

    private Path uploadFolder(RowsPart part) {
        String ofBlock = part.block().isEmpty() ? "" : ".block-" + part.block().getAsInt();
        return folder(part.dataset()).resolve(uploadFolder + ofBlock);
    }

    /**
     * Turns the file of {@link #upload} into finished rows, durably.
     *
     * @throws IllegalStateException if there are rows already
     */
    public void commit(RowsPart part) throws IOException {
        Path finished = uploadFolder(part).resolve(ROWS);
        Path data = data(part);
        if (Files.exists(data)) {
            throw new IllegalStateException(part + " has rows already");
        }
        restrict(finished);
        sync(finished, StandardOpenOption.WRITE);
        move(finished, data);
        sync(folder(part.dataset()), StandardOpenOption.READ);
        sync(root, StandardOpenOption.READ);
        // The rows are in place now. If we stop before they are declared ready, the next start removes them.
        deleteTree(uploadFolder(part));
    }

    /** Removes the files of an upload that was not confirmed. Other blocks keep their files. */
    void discard(RowsPart part) throws IOException {
        if (part.block().isEmpty()) {
            delete(part.dataset());
            return;
        }
        deleteTree(uploadFolder(part));
        Files.deleteIfExists(data(part));
        try {
            Files.deleteIfExists(folder(part.dataset()));
        } catch (DirectoryNotEmptyException others) {
            // Other blocks have rows, or are being loaded.
        }
        sync(root, StandardOpenOption.READ);
    }

    /** A new folder for the temporary files of a check, which {@link #discardCheck} removes. */
    Path check() throws IOException {
        createFolder(checks);
        return Files.createTempDirectory(checks, null, PosixFilePermissions.asFileAttribute(OWNER_FOLDER));
    }

    void discardCheck(Path folder) throws IOException {
        deleteTree(folder);
    }

    /** Removes all files of a dataset, if there are any. */
    public void delete(String id) throws IOException {
        deleteTree(folder(id));
        sync(root, StandardOpenOption.READ);
    }

    /**
     * Removes what a crash left: checks, and uploads of this instance that were not committed. Runs at the start of the
     * instance, before any upload.
     */
    public void sweepTornUploads() throws IOException {
        deleteTree(checks);
        List<Path> folders;
        try (Stream<Path> children = Files.list(root)) {
            folders = children.filter(Files::isDirectory).toList();
        }
        for (Path folder : folders) {
            for (Path upload : uploads(folder)) {
                deleteTree(upload);
            }
        }
    }

    /** The unfinished uploads of this instance in a folder. Another instance may delete the folder meanwhile. */
    private List<Path> uploads(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(child -> String.valueOf(child.getFileName()).startsWith(uploadFolder))
                    .toList();
        } catch (NoSuchFileException deleted) {
            return List.of();
        }
    }

    private Path folder(String id) {
        // The web edge checked this already. It is checked again because the id becomes a path here.
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("not a dataset id");
        }
        return root.resolve(id);
    }

    /** Creates a folder that only the service's own user can enter. */
    public static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_FOLDER));
        Files.setPosixFilePermissions(folder, OWNER_FOLDER);
    }

    /** Restricts a file to the service's own user. */
    public static void restrict(Path file) throws IOException {
        Files.setPosixFilePermissions(file, OWNER_FILE);
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("the data folder is not a single file system", e);
        }
    }

    private static void sync(Path path, StandardOpenOption mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }

    private static void deleteTree(Path tree) throws IOException {
        for (int attempt = 1; Files.exists(tree); attempt++) {
            try {
                Files.walkFileTree(tree, new Deletion());
            } catch (DirectoryNotEmptyException refilled) {
                // An upload that still runs created another file. It will find its folder deleted.
                if (attempt == MAX_ATTEMPTS) {
                    throw refilled;
                }
            }
        }
    }

    /** Deletes bottom up. Ignores files that vanish meanwhile. */
    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
