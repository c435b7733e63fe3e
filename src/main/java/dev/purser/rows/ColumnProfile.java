package dev.purser.rows;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What all rows of one column add up to, below any edge: the column's distinct stored integers, ascending, each with the count
 * and the sum of all rows up to it, written once when the rows were. A record of nothing comes first.
 *
 * <p>An edge is found by halving, in a number of steps that follows from the column's bounds and {@code maxRows}, not from how
 * many values there are.
 */
public final class ColumnProfile {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(RowsFileHeader.ORDER);

    private static final int GROUP = 256;

    private final CheckedSection section;
    private final StoredRange range;
    private final long firstStep;

    ColumnProfile(CheckedSection section, StoredRange range, long maxRows) {
        this.section = section;
        this.range = range;
        firstStep = Long.highestOneBit(Math.min(maxRows, range.size()));
    }

    /**
     * A reader of this profile, verified.
     *
     * @throws IOException if it is damaged
     */
    public Reader reader() throws IOException {
        return new Reader(section.verified());
    }

    /** Finds edges. What it returns is private. */
    public final class Reader {
        private final MemorySegment records;
        private final long last;

        private Reader(MemorySegment records) {
            this.records = records;
            last = records.byteSize() / RowsFileHeader.PROFILE_RECORD_BYTES - 1;
        }

        /**
         * The record of all stored integers below each edge.
         *
         * <p>A group of edges takes a step before any of them takes the next, so that their reads do not wait for each other
         * where the profile is larger than the processor's caches. Edges that are neighbours take nearly the same steps: a
         * group's reads lie on few pages of memory when the edges ascend.
         */
        public long[] below(long... edges) {
            long[] found = new long[edges.length];
            for (int from = 0; from < edges.length; from += GROUP) {
                find(edges, found, from, Math.min(from + GROUP, edges.length));
            }
            return found;
        }

        private void find(long[] edges, long[] found, int from, int to) {
            for (long step = firstStep; step > 0; step >>= 1) {
                for (int i = from; i < to; i++) {
                    // Within the bounds no difference can overflow.
                    long bound = range.lower() + range.offset(edges[i]);
                    long next = found[i] + step;
                    long exists = (next - last - 1) >> 63;
                    long isBelow = (word(Math.min(next, last), 0) - bound) >> 63;
                    found[i] += step & exists & isBelow;
                }
            }
        }

        /** The record of all rows. */
        public long all() {
            return last;
        }

        /** How many rows a record stands for. */
        public long count(long at) {
            return word(at, 1);
        }

        /** The low 64 bits of the sum of their stored integers. */
        public long sumLow(long at) {
            return word(at, 2);
        }

        /** The high 64 bits of it, with the sign. */
        public long sumHigh(long at) {
            return word(at, 3);
        }

        private long word(long at, int word) {
            return records.get(LONG, at * RowsFileHeader.PROFILE_RECORD_BYTES + word * Long.BYTES);
        }
    }
}
