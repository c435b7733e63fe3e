package dev.purser.rows;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A profile of the column's distinct stored integers, ascending, each with the count and the sum of all rows up to it. A record of
 * nothing comes first.
 *
 * <p>An edge is found by halving, in a number of steps that follows from the column's bounds and {@code maxRows}, not from how
 * many values there are.
 */
final class SortedProfile implements ColumnProfile {
    /** One record: a value, and count, low and high half of the sum of all values up to it. */
    static final int RECORD_BYTES = 4 * Long.BYTES;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(RowsFileHeader.ORDER);

    private static final int GROUP = 256;

    private final CheckedSection section;
    private final StoredRange range;
    private final long firstStep;

    SortedProfile(CheckedSection section, StoredRange range, long maxRows) {
        this.section = section;
        this.range = range;
        firstStep = Long.highestOneBit(Math.min(maxRows, range.size()));
    }

    @Override
    public Prefixes below(long... edges) throws IOException {
        Records records = new Records(section.verified());
        long[] found = new long[edges.length];
        for (int from = 0; from < edges.length; from += GROUP) {
            find(records, edges, found, from, Math.min(from + GROUP, edges.length));
        }
        Prefixes prefixes = new Prefixes(edges.length);
        for (int i = 0; i < edges.length; i++) {
            records.read(found[i], prefixes, i);
        }
        records.read(records.last, prefixes, edges.length);
        return prefixes;
    }

    /**
     * The record of all stored integers below each edge of a group.
     *
     * <p>They take a step before any of them takes the next, so that their reads do not wait for each other where the profile is larger
     * than the processor's caches. Edges that are neighbours take nearly the same steps: a group's reads lie on few pages of memory
     * when the edges ascend.
     */
    private void find(Records records, long[] edges, long[] found, int from, int to) {
        for (long step = firstStep; step > 0; step >>= 1) {
            for (int i = from; i < to; i++) {
                // Within the bounds no difference can overflow.
                long bound = range.lower() + range.offset(edges[i]);
                long next = found[i] + step;
                long exists = (next - records.last - 1) >> 63;
                long isBelow = (records.word(Math.min(next, records.last), 0) - bound) >> 63;
                found[i] += step & exists & isBelow;
            }
        }
    }

    private static final class Records {
        private final MemorySegment bytes;
        private final long last;

        private Records(MemorySegment bytes) {
            this.bytes = bytes;
            last = bytes.byteSize() / RECORD_BYTES - 1;
        }

        private void read(long at, Prefixes into, int position) {
            into.set(position, word(at, 1), word(at, 3), word(at, 2));
        }

        private long word(long at, int word) {
            return bytes.get(LONG, at * RECORD_BYTES + word * Long.BYTES);
        }
    }
}
