package dev.purser.rows;

import java.util.Arrays;

/** Rows in memory, column by column. They take what they need and at most what {@link #rows(int)} says. */
final class RowChunk {
    private static final int MAX_BYTES = 4 << 20;
    private static final int MAX_ROWS = 1 << 17;
    private static final int FIRST_ROWS = 1 << 8;

    private final int most;
    private final long[][] columns;
    private int rows;

    RowChunk(int columns) {
        most = rows(columns);
        this.columns = new long[columns][Math.min(most, FIRST_ROWS)];
    }

    /** How many rows of so many columns a full chunk has: 4 MB of them. */
    static int rows(int columns) {
        return Math.clamp(MAX_BYTES / (Long.BYTES * columns), 1, MAX_ROWS);
    }

    boolean isFull() {
        return rows == most;
    }

    /** Takes one row more. */
    void add(long[] values) {
        if (rows == columns[0].length) {
            grow();
        }
        for (int i = 0; i < columns.length; i++) {
            columns[i][rows] = values[i];
        }
        rows++;
    }

    /** Takes rows of {@code from}, column by column, from one on: as many as there is room for. */
    int add(long[][] from, int first, int count) {
        while (rows + count > columns[0].length && columns[0].length < most) {
            grow();
        }
        int taken = Math.min(count, most - rows);
        for (int i = 0; i < columns.length; i++) {
            System.arraycopy(from[i], first, columns[i], rows, taken);
        }
        rows += taken;
        return taken;
    }

    private void grow() {
        for (int i = 0; i < columns.length; i++) {
            columns[i] = Arrays.copyOf(columns[i], Math.min(most, 2 * columns[i].length));
        }
    }

    int rows() {
        return rows;
    }

    /** The values of one column, those of the first {@link #rows()} rows. */
    long[] column(int position) {
        return columns[position];
    }

    void clear() {
        rows = 0;
    }
}
