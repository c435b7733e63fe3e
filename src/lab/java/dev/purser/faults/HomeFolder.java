package dev.purser.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where a service's home lies: on the disk, or on a small file system of its own that can be filled. */
final class HomeFolder {
    private static final int MEGABYTES = 512;
    private static final int BLOCK = 1 << 20;

    private final Path folder;
    private final boolean small;

    private HomeFolder(Path folder, boolean small) {
        this.folder = folder;
        this.small = small;
    }

    static HomeFolder onDisk(Path parent) throws IOException {
        return new HomeFolder(Files.createDirectory(parent.resolve("disk")), false);
    }

    /** On a file system of its own if this machine allows it, otherwise on the disk. */
    static HomeFolder small(Path parent, Belongings belongings) throws IOException, InterruptedException {
        if (!canBeSmall()) {
            return onDisk(parent);
        }
        Path folder = Files.createDirectory(parent.resolve("small"));
        Programs.run("mount", "-t", "tmpfs", "-o", "size=" + MEGABYTES + "m,mode=700", "tmpfs", folder.toString());
        HomeFolder home = new HomeFolder(folder, true);
        belongings.add(home::putAway);
        return home;
    }

    /** Whether a small file system can be made here. */
    static boolean canBeSmall() {
        return Programs.isRoot() && Programs.exists("mount");
    }

    Path home() {
        return folder.resolve("home");
    }

    boolean isSmall() {
        return small;
    }

    /** Unmounts its file system, if it has one. */
    void putAway() throws IOException, InterruptedException {
        if (small && Files.isDirectory(folder) && isMounted()) {
            Programs.run("umount", "-l", folder.toString());
        }
    }

    private boolean isMounted() throws IOException {
        return !Files.getFileStore(folder).equals(Files.getFileStore(folder.getParent()));
    }

    /** Takes all room there is. */
    void fill() throws IOException {
        try (FileChannel ballast = FileChannel.open(
                ballast(), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            for (int block = BLOCK; block > 0; block /= 2) {
                fill(ballast, block);
            }
        }
    }

    private static void fill(FileChannel ballast, int block) {
        try {
            while (true) {
                if (ballast.write(ByteBuffer.allocate(block)) < block) {
                    return;
                }
            }
        } catch (IOException full) {
            // A smaller block may still fit.
        }
    }

    void free() throws IOException {
        Files.deleteIfExists(ballast());
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }
}
