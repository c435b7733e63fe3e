package dev.purser.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Writes and reads the values of rows at the places of a {@link ValuesLayout}. An object is for one thread. Several
 * threads may read the same channel, each with an object of its own.
 */
final class ValuesFile {
    private final FileChannel channel;
    private final List<StoredRange> columns;
    private final ValuesLayout layout;
    private ByteBuffer buffer = ByteBuffer.allocate(0);

    ValuesFile(FileChannel channel, List<StoredRange> columns, ValuesLayout layout) {
        this.channel = channel;
        this.columns = columns;
        this.layout = layout;
    }

    /**
     * Writes a chunk of rows. The values in the chunk become offsets.
     *
     * @param first the number of the chunk's first row
     * @param checksums one for each column, updated with the bytes written
     * @throws IOException if a value is outside its column's bounds, or the file cannot be written
     */
    void write(RowChunk chunk, long first, CRC32C... checksums) throws IOException {
        for (int i = 0; i < columns.size(); i++) {
            long[] values = chunk.column(i);
            columns.get(i).toOffsets(values, chunk.rows());
            makeRoom(chunk.rows() * layout.width(i));
            encode(values, chunk.rows(), layout.width(i));
            buffer.flip();
            if (checksums.length > 0) {
                checksums[i].update(buffer.duplicate());
            }
            OwnFile.write(channel, buffer, layout.position(i, first, first + chunk.rows()));
        }
    }

    /**
     * Reads offsets of consecutive rows.
     *
     * @param rows how many rows the file has
     * @param from the first row to read
     * @param into receives {@code count} offsets at its beginning
     */
    void read(int column, long rows, long from, long[] into, int count) throws IOException {
        int width = layout.width(column);
        for (int done = 0; done < count; ) {
            int here = Math.min(count - done, layout.together(from + done));
            makeRoom(here * width);
            OwnFile.read(channel, buffer, layout.position(column, from + done, rows));
            decode(into, done, here, width);
            done += here;
        }
    }

    /** The checksum of all values of a column, from the first row on. */
    int checksum(int column, long rows) throws IOException {
        CRC32C checksum = new CRC32C();
        for (long row = 0; row < rows; row += layout.rowsOfChunk()) {
            makeRoom((int) Math.min(layout.rowsOfChunk(), rows - row) * layout.width(column));
            OwnFile.read(channel, buffer, layout.position(column, row, rows));
            checksum.update(buffer);
        }
        return (int) checksum.getValue();
    }

    private void makeRoom(int bytes) {
        if (buffer.capacity() < bytes) {
            buffer = ByteBuffer.allocate(bytes).order(OwnFile.ORDER);
        }
        buffer.clear().limit(bytes);
    }

    private void encode(long[] offsets, int count, int width) {
        switch (width) {
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    buffer.put((byte) offsets[i]);
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    buffer.putShort((short) offsets[i]);
                }
            }
            case Integer.BYTES -> {
                for (int i = 0; i < count; i++) {
                    buffer.putInt((int) offsets[i]);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    buffer.putLong(offsets[i]);
                }
            }
        }
    }

    private void decode(long[] into, int first, int count, int width) {
        switch (width) {
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into[first + i] = Byte.toUnsignedLong(buffer.get());
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into[first + i] = Short.toUnsignedLong(buffer.getShort());
                }
            }
            case Integer.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into[first + i] = Integer.toUnsignedLong(buffer.getInt());
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    into[first + i] = buffer.getLong();
                }
            }
        }
    }
}
