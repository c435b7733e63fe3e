package dev.purser.rows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * Rows that wait on the disk, in the order in which they came, until it is known which of them stay. Memory is a chunk of 4 MB and what
 * a buffer of a file takes, at most 1 MB. The file is the service's own user's, and gone when this is closed.
 */
public final class WaitingRows implements AutoCloseable {
    private final List<StoredRange> ranges;
    private final ChunkFile chunks;
    private final RowChunk chunk;
    private long stored;

    /**
     * @param file one that does not exist
     * @throws RowsNotWritten if no file can be made there
     */
    public WaitingRows(RowsShape shape, Path file) throws RowsNotWritten {
        ranges = shape.columns();
        chunk = new RowChunk(ranges.size());
        try {
            chunks = new ChunkFile(file, RowChunk.rows(ranges.size()), widths());
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }

    private int[] widths() {
        return ranges.stream().mapToInt(StoredRange::offsetBytes).toArray();
    }

    /**
     * Takes one row more.
     *
     * @param values by the position of the column
     * @throws RowsNotWritten if this or an earlier row cannot be written, or breaks the dataset's bounds
     */
    public void add(long[] values) throws RowsNotWritten {
        if (chunk.isFull()) {
            store();
        }
        chunk.add(values);
    }

    private void store() throws RowsNotWritten {
        try {
            for (int i = 0; i < ranges.size(); i++) {
                ranges.get(i).toOffsets(chunk.column(i), 0, chunk.rows());
                chunks.write(stored / chunks.rowsOfChunk(), i, chunk.column(i), chunk.rows());
            }
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
        stored += chunk.rows();
        chunk.clear();
    }

    /**
     * Hands on the rows that stay, in the order in which they came. Nothing more can be added then.
     *
     * @param stays by the number of a row, from 0, whether it does
     * @throws RowsNotWritten if they cannot be read back, or not be written
     */
    public void writeTo(RowsFileWriter writer, BitSet stays) throws RowsNotWritten {
        store();
        long[] values = new long[ranges.size()];
        int row = stays.nextSetBit(0);
        for (long first = 0; row >= 0; first += chunks.rowsOfChunk()) {
            int count = (int) Math.min(chunks.rowsOfChunk(), stored - first);
            if (row < first + count) {
                load(first, count);
            }
            for (; row >= 0 && row < first + count; row = stays.nextSetBit(row + 1)) {
                for (int i = 0; i < values.length; i++) {
                    values[i] = ranges.get(i).lower() + chunk.column(i)[(int) (row - first)];
                }
                writer.add(values);
            }
        }
    }

    private void load(long first, int count) throws RowsNotWritten {
        try {
            for (int i = 0; i < ranges.size(); i++) {
                chunks.read(i, first, chunk.column(i), count);
            }
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }

    /** Deletes what is on the disk. */
    @Override
    public void close() throws RowsNotWritten {
        try {
            chunks.close();
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }
}
