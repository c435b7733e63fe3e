package dev.purser.rows;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A profile with the count of all rows below each integer that the column can hold, and below the one past its upper bound, where
 * every edge has its place. The counts are unsigned numbers of 32 bits, in blocks of {@value #BLOCK}; before those of a block comes the
 * sum of all counts before it, in 64 bits. After the last edge the last block is filled up with the count of all rows.
 *
 * <p>Sums of rows follow from sums of counts: a row at distance d from the lower bound is in the count of each edge from d + 1 on. So of the
 * counts before edge e it is in e - 1 - d, and the distances of the rows below e sum up to e - 1 times their count, less the sum of the
 * counts before e.
 */
final class CountedProfile implements ColumnProfile {
    /** A power of two. */
    static final int BLOCK = 64;

    static final int BLOCK_BYTES = Long.BYTES + BLOCK * Integer.BYTES;

    /** So that no sum of distances or counts can pass 2^56. */
    static final long MAX_SIZE = 1 << 24;

    private static final long MAX_ROWS = (1L << Integer.SIZE) - 1;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(RowsFileHeader.ORDER);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(RowsFileHeader.ORDER);

    private final CheckedSection section;
    private final StoredRange range;

    CountedProfile(CheckedSection section, StoredRange range) {
        this.section = section;
        this.range = range;
    }

    /** How long such a profile is. */
    static long bytes(StoredRange range) {
        return blocks(range) * BLOCK_BYTES;
    }

    /** One count more than there are integers. */
    static long blocks(StoredRange range) {
        return range.size() / BLOCK + 1;
    }

    /** Whether a column can have such a profile. */
    static boolean holds(StoredRange range, long rows) {
        return range.size() <= MAX_SIZE && rows <= MAX_ROWS;
    }

    @Override
    public Prefixes below(long... edges) throws IOException {
        MemorySegment blocks = section.verified();
        Prefixes found = new Prefixes(edges.length);
        for (int i = 0; i < edges.length; i++) {
            read(blocks, range.offset(edges[i]), found, i);
        }
        read(blocks, range.size(), found, edges.length);
        return found;
    }

    /** In a number of steps that follows from the edge. */
    private void read(MemorySegment blocks, long edge, Prefixes into, int position) {
        long block = edge / BLOCK * BLOCK_BYTES;
        long at = block + Long.BYTES;
        long end = at + edge % BLOCK * Integer.BYTES;
        long countsBefore = blocks.get(LONG, block);
        for (; at < end; at += Integer.BYTES) {
            countsBefore += Integer.toUnsignedLong(blocks.get(INT, at));
        }
        long count = Integer.toUnsignedLong(blocks.get(INT, end));
        long distances = (edge - 1) * count - countsBefore;
        long low = range.lower() * count + distances;
        long carry = Long.compareUnsigned(low, distances) < 0 ? 1 : 0;
        into.set(position, count, Math.multiplyHigh(range.lower(), count) + carry, low);
    }
}
