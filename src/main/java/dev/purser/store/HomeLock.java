package dev.purser.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * Allows one process per home. Two services on one ledger would have two group-commit writers, and neither service
 * would know the readers of the other. The operating system's lock ends with the process, so a killed service leaves
 * nothing to clean up.
 */
final class HomeLock implements AutoCloseable {
    /**
     * The homes this process holds. POSIX drops a process's lock on a file when the process closes any descriptor of
     * that file. A second attempt from the same process must therefore be refused before it opens the file.
     */
    private static final Set<Path> HELD_HERE = new HashSet<>();

    private final Path file;
    private final FileChannel channel;

    private HomeLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Takes the lock until the result is closed.
     *
     * @throws StartupRefusal if it is taken, or the folder cannot be locked
     */
    static HomeLock take(PurserHome home) {
        synchronized (HELD_HERE) {
            try {
                Path file = home.path().toRealPath().resolve("ledger.db.lock");
                if (HELD_HERE.contains(file)) {
                    throw taken(home);
                }
                PurserHome.createPrivately(file);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                if (channel.tryLock() == null) {
                    channel.close();
                    throw taken(home);
                }
                HELD_HERE.add(file);
                return new HomeLock(file, channel);
            } catch (IOException failure) {
                throw new StartupRefusal(
                        "The folder " + home.path() + " cannot be locked: " + failure,
                        "Set PURSER_HOME to a folder that this user may write, on a local file system.",
                        failure);
            }
        }
    }

    private static StartupRefusal taken(PurserHome home) {
        return new StartupRefusal(
                "Another Purser is already running on " + home.path() + ".",
                "Stop it, or set PURSER_HOME to another folder.");
    }

    @Override
    public void close() {
        synchronized (HELD_HERE) {
            try {
                channel.close();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            } finally {
                HELD_HERE.remove(file);
            }
        }
    }
}
