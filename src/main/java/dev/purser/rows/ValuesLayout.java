package dev.purser.rows;

import java.util.List;

/**
 * Where the values lie in a {@link RowsFile}: behind the header in chunks of {@link RowChunk#rows(int)} rows, the last of as many as are left,
 * and in each chunk the lanes of its columns one after another. A lane is filled up with zeros to a multiple of 8 bytes.
 */
final class ValuesLayout {
    private final int rowsOfChunk;
    private final int[] widths;

    ValuesLayout(List<StoredRange> columns) {
        rowsOfChunk = RowChunk.rows(columns.size());
        widths = columns.stream().mapToInt(StoredRange::offsetBytes).toArray();
    }

    int rowsOfChunk() {
        return rowsOfChunk;
    }

    /** The bytes of one value. */
    int width(int column) {
        return widths[column];
    }

    /** How long the lane of a column is, by the rows of its chunk. */
    long laneBytes(int column, long rows) {
        return Math.ceilDiv(rows * widths[column], Long.BYTES) * Long.BYTES;
    }

    /** Where chunks begin: at the first, or at any other with all before it full. */
    long chunkAt(long chunk) {
        return RowsFileHeader.bytes(widths.length) + chunk * lanesBefore(widths.length, rowsOfChunk);
    }

    /** Where the values of so many rows end. */
    long end(long rows) {
        return chunkAt(rows / rowsOfChunk) + lanesBefore(widths.length, rows % rowsOfChunk);
    }

    /** The lanes of one column, in a file of so many rows. */
    Lanes lanes(int column, long rows) {
        long full = rows / rowsOfChunk;
        return new Lanes(
                this,
                column,
                rows,
                chunkAt(0) + lanesBefore(column, rowsOfChunk),
                chunkAt(1) - chunkAt(0),
                chunkAt(full) + lanesBefore(column, rows % rowsOfChunk));
    }

    private long lanesBefore(int column, long rows) {
        long bytes = 0;
        for (int i = 0; i < column; i++) {
            bytes += laneBytes(i, rows);
        }
        return bytes;
    }
}
