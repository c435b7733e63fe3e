package dev.purser.rows;

import java.util.Arrays;

/** Rows in memory, column by column. Memory grows with the rows, up to {@link #capacity(int)} rows. */
final class RowChunk {
    private static final int MAX_BYTES = 4 << 20;
    private static final int MAX_ROWS = 1 << 17;
    private static final int FIRST_ROWS = 1 << 8;

    private final int capacity;
    private final long[][] columns;
    private int rows;

    RowChunk(int columns) {
        capacity = capacity(columns);
        this.columns = new long[columns][Math.min(capacity, FIRST_ROWS)];
    }

    /**
     * The number of rows in a full chunk of this many columns: a power of two. They take at most 4 MB, or are one row.
     */
    static int capacity(int columns) {
        return Integer.highestOneBit(Math.clamp(MAX_BYTES / (Long.BYTES * columns), 1, MAX_ROWS));
    }

    boolean isFull() {
        return rows == capacity;
    }

    void add(long[] row) {
        if (rows == columns[0].length) {
            for (int i = 0; i < columns.length; i++) {
                columns[i] = Arrays.copyOf(columns[i], Math.min(capacity, 2 * rows));
            }
        }
        for (int i = 0; i < columns.length; i++) {
            columns[i][rows] = row[i];
        }
        rows++;
    }

    int rows() {
        return rows;
    }

    /** The values of one column. Only the values of the first {@link #rows()} rows count. */
    long[] column(int position) {
        return columns[position];
    }

    void clear() {
        rows = 0;
    }
}
