package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.rows.ColumnValues;
import dev.purser.rows.RowsFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes the group of each row, and clears the masks of rows that are in no group. It does not branch on a value, and
 * looks up every key for every row. Not thread-safe.
 */
final class RowGroups {
    private final List<Part> parts = new ArrayList<>();
    private final long[] offsets = new long[RowScan.BLOCK_ROWS];
    private final int[] positions = new int[RowScan.BLOCK_ROWS];

    private record Part(ColumnValues.Reader values, KeyLookup key) {}

    /** @throws IOException if the values of a key's column are damaged */
    RowGroups(RowsFile rows, Dataset dataset, List<KeyLookup> keys) throws IOException {
        for (KeyLookup key : keys) {
            parts.add(new Part(
                    rows.values(dataset.columns().indexOf(key.key().column())).reader(), key));
        }
    }

    /**
     * Writes the groups of {@code count} rows, from row {@code from} on, to the start of {@code into}. A row in no
     * group gets a zero in {@code masks}, and an arbitrary group.
     */
    void read(long from, int[] into, long[] masks, int count) throws IOException {
        Arrays.fill(into, 0, count, 0);
        for (Part part : parts) {
            part.values.read(from, offsets, count);
            part.key.lookup.find(offsets, positions, count);
            part.key.add(positions, into, masks, count);
        }
    }

    /**
     * The tables of one key, for all threads.
     *
     * @param groupAt for each number of edges at or below a value, the part of this key in the number of the group
     * @param maskAt for each such number, all ones if the value is in a group
     */
    record KeyLookup(GroupKey key, BucketLookup lookup, int[] groupAt, long[] maskAt) {
        /** The lookups of all keys, in order. */
        static List<KeyLookup> of(List<GroupKey> keys) {
            List<KeyLookup> lookups = new ArrayList<>();
            int step = 1;
            for (GroupKey key : keys.reversed()) {
                lookups.add(of(key, step));
                step *= key.groups();
            }
            return lookups.reversed();
        }

        private static KeyLookup of(GroupKey key, int step) {
            long[] edges = key.edges();
            int[] groupAt = new int[edges.length + 1];
            long[] maskAt = new long[edges.length + 1];
            for (int group = 0; group < key.groups(); group++) {
                groupAt[group + 1] = group * step;
                maskAt[group + 1] = -1;
            }
            return new KeyLookup(key, new BucketLookup(key.column().range(), edges), groupAt, maskAt);
        }

        private void add(int[] positions, int[] groups, long[] masks, int count) {
            for (int i = 0; i < count; i++) {
                groups[i] += groupAt[positions[i]];
                masks[i] &= maskAt[positions[i]];
            }
        }
    }
}
