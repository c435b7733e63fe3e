package dev.purser.rows;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * Rows in a file of their own until it is known which of them stay. Memory is a chunk of 4 MB and its encoded form. The
 * file is deleted when this is closed.
 */
public final class SpilledRows implements AutoCloseable {
    private final Path file;
    private final List<StoredRange> columns;
    private final FileChannel channel;
    private final ValuesFile values;
    private final RowChunk chunk;
    private long written;

    /**
     * Creates the file.
     *
     * @param file one that does not exist
     */
    public SpilledRows(RowsShape shape, Path file) throws IOException {
        this.file = file;
        columns = shape.columns();
        chunk = new RowChunk(columns.size());
        channel = OwnFile.create(file);
        values = new ValuesFile(channel, columns, new ValuesLayout(columns, 0));
    }

    /**
     * Takes one row more.
     *
     * @param row its stored integers by the position of the column
     * @throws IOException if this or an earlier row cannot be written, or is outside the dataset's bounds
     */
    public void add(long[] row) throws IOException {
        if (chunk.isFull()) {
            writeChunk();
        }
        chunk.add(row);
    }

    private void writeChunk() throws IOException {
        values.write(chunk, written);
        written += chunk.rows();
        chunk.clear();
    }

    /**
     * Passes on the rows that stay, in the order in which they came. Nothing can be added after that.
     *
     * @param stays by the number of a row, from 0, whether it stays
     */
    public void writeTo(RowsFileWriter writer, BitSet stays) throws IOException {
        writeChunk();
        int rowsOfChunk = RowChunk.capacity(columns.size());
        long[] row = new long[columns.size()];
        int next = stays.nextSetBit(0);
        for (long first = 0; next >= 0; first += rowsOfChunk) {
            int count = (int) Math.min(rowsOfChunk, written - first);
            if (next < first + count) {
                for (int i = 0; i < row.length; i++) {
                    values.read(i, written, first, chunk.column(i), count);
                }
            }
            for (; next >= 0 && next < first + count; next = stays.nextSetBit(next + 1)) {
                for (int i = 0; i < row.length; i++) {
                    row[i] = columns.get(i).lower() + chunk.column(i)[(int) (next - first)];
                }
                writer.add(row);
            }
        }
    }

    /** Deletes the file. */
    @Override
    public void close() throws IOException {
        try (channel) {
            Files.deleteIfExists(file);
        }
    }
}
