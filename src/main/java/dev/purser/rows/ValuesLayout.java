package dev.purser.rows;

import java.util.List;

/**
 * Where the values of rows lie in a file. Rows come in chunks. The last chunk may be short. A chunk has the values of
 * its first column, then the values of its second column, and so on. Each value is an offset from the column's lower
 * bound, in 1, 2, 4 or 8 bytes.
 */
final class ValuesLayout {
    private final long begin;
    private final int rowsOfChunk;
    private final int[] widths;
    /** For each column, the bytes of one row before it. At the end, the bytes of a whole row. */
    private final int[] bytesBefore;

    /** @param begin the position of the first chunk in the file */
    ValuesLayout(List<StoredRange> columns, long begin) {
        this.begin = begin;
        rowsOfChunk = RowChunk.capacity(columns.size());
        widths = columns.stream().mapToInt(StoredRange::offsetBytes).toArray();
        bytesBefore = new int[widths.length + 1];
        for (int i = 0; i < widths.length; i++) {
            bytesBefore[i + 1] = bytesBefore[i] + widths[i];
        }
    }

    int rowsOfChunk() {
        return rowsOfChunk;
    }

    /** The bytes of one value of a column. */
    int width(int column) {
        return widths[column];
    }

    /** The position behind the values of this many rows. */
    long end(long rows) {
        return begin + rows * bytesBefore[widths.length];
    }

    /**
     * The position of a value.
     *
     * @param rows how many rows the file has
     */
    long position(int column, long row, long rows) {
        long firstOfChunk = row - row % rowsOfChunk;
        long inChunk = Math.min(rowsOfChunk, rows - firstOfChunk);
        return end(firstOfChunk) + inChunk * bytesBefore[column] + (row - firstOfChunk) * widths[column];
    }

    /** How many values are consecutive from {@code row} on, if the file does not end before. */
    int together(long row) {
        return rowsOfChunk - (int) (row % rowsOfChunk);
    }
}
