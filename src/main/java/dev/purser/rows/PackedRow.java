package dev.purser.rows;

import java.io.IOException;
import java.util.List;

/**
 * The values of a row in as few words as their bounds need, for a {@link RecordSort} of whole rows. Each value is its
 * offset from the column's lower bound. One word has as many consecutive values as fit.
 */
public final class PackedRow {
    private final List<StoredRange> columns;
    private final int[] wordOf;
    private final int[] shiftOf;
    private final int words;

    public PackedRow(RowsShape shape) {
        columns = shape.columns();
        wordOf = new int[columns.size()];
        shiftOf = new int[columns.size()];
        int word = 0;
        int filled = 0;
        for (int i = 0; i < wordOf.length; i++) {
            int bits = bits(columns.get(i));
            if (filled + bits > Long.SIZE) {
                word++;
                filled = 0;
            }
            wordOf[i] = word;
            shiftOf[i] = filled % Long.SIZE;
            filled += bits;
        }
        words = word + 1;
    }

    /** At most 42, because bounds are within 2^40 of zero. */
    private static int bits(StoredRange column) {
        return Long.SIZE - Long.numberOfLeadingZeros(column.size() - 1);
    }

    /** How many words a row takes. */
    public int words() {
        return words;
    }

    /**
     * Puts a row into the words of {@code record} from {@code at} on.
     *
     * @param row the row's stored integers by the position of the column
     * @throws IOException if an integer is outside its column's bounds
     */
    public void pack(long[] row, long[] record, int at) throws IOException {
        for (int word = 0; word < words; word++) {
            record[at + word] = 0;
        }
        for (int i = 0; i < wordOf.length; i++) {
            record[at + wordOf[i]] |= columns.get(i).toOffset(row[i]) << shiftOf[i];
        }
    }

    /** Puts the row that begins at {@code record[at]} into the first integers of {@code row}. */
    public void unpack(long[] record, int at, long[] row) {
        for (int i = 0; i < wordOf.length; i++) {
            StoredRange column = columns.get(i);
            long mask = (1L << bits(column)) - 1;
            row[i] = column.lower() + (record[at + wordOf[i]] >>> shiftOf[i] & mask);
        }
    }
}
