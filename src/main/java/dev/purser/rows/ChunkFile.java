package dev.purser.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What waits on the disk during an upload: chunk after chunk of equally many rows, and in each of them its lanes one after another.
 * A lane holds non-negative numbers of one width. Deleted when closed.
 */
final class ChunkFile implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;
    private final int rowsOfChunk;
    private final int[] widths;
    /** Where in a chunk each lane begins; at the end, how long a chunk is. */
    private final long[] starts;

    private ByteBuffer encoded = ByteBuffer.allocate(0);

    /** @param widths the bytes of a number of each lane: 1, 2, 4 or 8 */
    ChunkFile(Path file, int rowsOfChunk, int[] widths) throws IOException {
        this.file = file;
        this.rowsOfChunk = rowsOfChunk;
        this.widths = widths.clone();
        starts = new long[widths.length + 1];
        for (int i = 0; i < widths.length; i++) {
            starts[i + 1] = starts[i] + (long) rowsOfChunk * widths[i];
        }
        channel = NewFile.create(file);
    }

    /** Writes the numbers of a lane in one chunk. */
    void write(long chunk, int lane, long[] numbers, int count) throws IOException {
        makeRoom(count);
        encode(numbers, count, widths[lane]);
        encoded.flip();
        writeFully(channel, encoded, at(chunk, lane, 0));
    }

    private void makeRoom(int numbers) {
        if (encoded.capacity() < numbers * Long.BYTES) {
            encoded = ByteBuffer.allocate(numbers * Long.BYTES).order(RowsFileHeader.ORDER);
        }
        encoded.clear();
    }

    /** One call may write a part: on a disk that fills up it does. */
    static void writeFully(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
        long next = at;
        while (bytes.hasRemaining()) {
            next += channel.write(bytes, next);
        }
    }

    private void encode(long[] numbers, int count, int width) {
        switch (width) {
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    encoded.put((byte) numbers[i]);
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    encoded.putShort((short) numbers[i]);
                }
            }
            case Integer.BYTES -> {
                for (int i = 0; i < count; i++) {
                    encoded.putInt((int) numbers[i]);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    encoded.putLong(numbers[i]);
                }
            }
        }
    }

    /**
     * Reads numbers of a lane from row {@code from} of a chunk on, in their encoded form, until {@code into} is full.
     *
     * @throws IOException if they were not written, or cannot be read
     */
    void read(long chunk, int lane, int from, ByteBuffer into) throws IOException {
        readFully(channel, into, at(chunk, lane, from));
    }

    /** @throws IOException if there is not as much, or it cannot be read */
    static void readFully(FileChannel channel, ByteBuffer into, long at) throws IOException {
        long next = at;
        while (into.hasRemaining()) {
            int read = channel.read(into, next);
            if (read < 0) {
                throw new IOException("rows were lost");
            }
            next += read;
        }
    }

    /** Reads so many numbers of a lane from a row on, counted from the first chunk. */
    void read(int lane, long from, long[] into, int count) throws IOException {
        for (int done = 0; done < count; ) {
            int first = (int) ((from + done) % rowsOfChunk);
            int here = Math.min(count - done, rowsOfChunk - first);
            makeRoom(here);
            read((from + done) / rowsOfChunk, lane, first, encoded.limit(here * widths[lane]));
            for (int i = 0; i < here; i++) {
                into[done + i] = number(encoded, i * widths[lane], widths[lane]);
            }
            done += here;
        }
    }

    /** The number that is encoded in so many bytes from {@code at} on. */
    static long number(ByteBuffer bytes, int at, int width) {
        return switch (width) {
            case Byte.BYTES -> Byte.toUnsignedLong(bytes.get(at));
            case Short.BYTES -> Short.toUnsignedLong(bytes.getShort(at));
            case Integer.BYTES -> Integer.toUnsignedLong(bytes.getInt(at));
            default -> bytes.getLong(at);
        };
    }

    private long at(long chunk, int lane, int row) {
        return chunk * starts[widths.length] + starts[lane] + (long) row * widths[lane];
    }

    int rowsOfChunk() {
        return rowsOfChunk;
    }

    int width(int lane) {
        return widths[lane];
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            Files.deleteIfExists(file);
        }
    }
}
