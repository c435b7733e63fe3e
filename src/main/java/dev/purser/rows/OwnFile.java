package dev.purser.rows;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** How this package creates, writes and reads its files. Only the service's own user can open them. */
final class OwnFile {
    /** The byte order of all numbers. */
    static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private OwnFile() {}

    /** Creates a file for reading and writing. It must not exist. */
    static FileChannel create(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /** Writes all of {@code bytes} at {@code position}. A single call may write only a part of them. */
    static void write(FileChannel file, ByteBuffer bytes, long position) throws IOException {
        long next = position;
        while (bytes.hasRemaining()) {
            next += file.write(bytes, next);
        }
    }

    /**
     * Fills {@code into} with the bytes at {@code position}, and flips it.
     *
     * @throws EOFException if the file has fewer bytes
     */
    static void read(FileChannel file, ByteBuffer into, long position) throws IOException {
        long next = position;
        while (into.hasRemaining()) {
            int read = file.read(into, next);
            if (read < 0) {
                throw new EOFException("a file of rows ends early");
            }
            next += read;
        }
        into.flip();
    }
}
