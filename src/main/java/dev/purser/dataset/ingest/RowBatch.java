package dev.purser.dataset.ingest;

import java.util.Arrays;

/** Some rows of an upload, column by column, with their privacy units where those are a column. Reused for the next. */
final class RowBatch {
    private static final int MAX_UNIT_BYTES = 1 << 20;

    private final long[][] columns;
    private byte[] units = {};
    private int[] unitEnds = {};
    private int unitsLength;
    private int size;
    private long total;
    private long valuesClamped;

    RowBatch(int columns) {
        this.columns = new long[columns][0];
    }

    /** Makes room for the next rows, at most so many. */
    void clear(int mostRows) {
        size = 0;
        unitsLength = 0;
        if (unitEnds.length < mostRows) {
            unitEnds = new int[mostRows];
            Arrays.setAll(columns, i -> new long[mostRows]);
        }
    }

    /** The stored values of each column, of the first {@link #size()} rows. */
    long[][] columns() {
        return columns;
    }

    int size() {
        return size;
    }

    /** The rows of the upload so far, these too. */
    long total() {
        return total;
    }

    /** Says that so many more rows are complete. */
    void complete(int rows) {
        size += rows;
        total += rows;
    }

    /** The values so far that lay outside their column's bounds. */
    long valuesClamped() {
        return valuesClamped;
    }

    void countClamped(long values) {
        valuesClamped += values;
    }

    /** Takes the privacy unit of the next row that has none. */
    void putUnit(int row, byte[] bytes, int from, int to) {
        int length = to - from;
        if (units.length - unitsLength < length) {
            units = Arrays.copyOf(units, Math.max(unitsLength + length, 2 * units.length));
        }
        System.arraycopy(bytes, from, units, unitsLength, length);
        unitsLength += length;
        unitEnds[row] = unitsLength;
    }

    /** Whether the privacy units take so much memory that no more rows should be added. */
    boolean isFullOfUnits() {
        return unitsLength >= MAX_UNIT_BYTES;
    }

    /** All privacy units, one after another. */
    byte[] units() {
        return units;
    }

    int unitFrom(int row) {
        return row == 0 ? 0 : unitEnds[row - 1];
    }

    int unitTo(int row) {
        return unitEnds[row];
    }
}
