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

    /** How many rows of so many columns a full chunk has, a power of two: 4 MB of them at most, if it is more than one. */
    static int rows(int columns) {
        return Integer.highestOneBit(Math.clamp(MAX_BYTES / (Long.BYTES * columns), 1, MAX_ROWS));
    }

    boolean isFull() {
        return rows == most;
    }

    /** Takes one row more. */
    void add(long[] values) {
        makeRoom(1);
        for (int i = 0; i < columns.length; i++) {
            columns[i][rows] = values[i];
        }
        rows++;
    }

    /**
     * Takes rows from {@code from} on, as many of {@code count} as it has room for.
     *
     * @return how many
     */
    int add(long[][] values, int from, int count) {
        int taken = Math.min(count, most - rows);
        makeRoom(taken);
        for (int i = 0; i < columns.length; i++) {
            System.arraycopy(values[i], from, columns[i], rows, taken);
        }
        rows += taken;
        return taken;
    }

    private void makeRoom(int more) {
        if (rows + more > columns[0].length) {
            int length = Math.min(most, Math.max(rows + more, 2 * rows));
            for (int i = 0; i < columns.length; i++) {
                columns[i] = Arrays.copyOf(columns[i], length);
            }
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
