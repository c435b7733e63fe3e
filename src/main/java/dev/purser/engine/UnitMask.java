package dev.purser.engine;

import dev.purser.rows.ColumnValues;
import dev.purser.rows.RowsFile;
import java.io.IOException;
import java.util.List;

/**
 * Clears the masks of rows whose unit has had a passing row in the same group before. So one row of each unit is
 * counted in each of its groups. It relies on the order of the file, where the rows of a unit lie one behind the other.
 * It does not branch on a value. Not thread-safe. The memory is a word for each group.
 */
final class UnitMask {
    private final ColumnValues.Reader marks;
    private final long[] marked = new long[RowScan.BLOCK_ROWS];
    /** For each group, the number of the last unit that was counted in it. Units are numbered from 1 on. */
    private final long[] counted;

    private long unit;

    /** @throws IOException if the marks are damaged */
    UnitMask(RowsFile rows, List<GroupKey> keys) throws IOException {
        marks = rows.unitMarks().reader();
        counted = new long[GroupKey.groups(keys)];
    }

    /** Is called after {@link RowMask#read} and {@link RowGroups#read}, for all rows from the first row on. */
    void read(long from, int[] groups, long[] masks, int count) throws IOException {
        marks.read(from, marked, count);
        for (int i = 0; i < count; i++) {
            unit += marked[i];
            int group = groups[i];
            long difference = counted[group] ^ unit;
            long isFirst = (difference | -difference) >> 63 & masks[i];
            counted[group] ^= difference & isFirst;
            masks[i] = isFirst;
        }
    }
}
