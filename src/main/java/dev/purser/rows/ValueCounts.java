package dev.purser.rows;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_INT;

/**
 * How often each value of a column was there, for the columns of which that can be counted in 64 MB, beside the heap. Which these are
 * follows from the public bounds and {@code maxRows}: a column is counted where it can have at most twice as many values as there can
 * be rows, or few; and none is where there can be more rows than a counter can count.
 */
final class ValueCounts {
    private static final long MAX_COUNTERS = 1 << 24;
    private static final long FEW = 1 << 17;

    /** By column, as many as its profile has counts; of one that is not counted, none. */
    private final List<MemorySegment> counters = new ArrayList<>();

    /** @param arena for the counters, as long as this is used */
    ValueCounts(List<StoredRange> ranges, long maxRows, Arena arena) {
        long most = maxRows > Integer.MAX_VALUE ? 0 : Math.max(FEW, 2 * maxRows);
        long left = MAX_COUNTERS;
        for (StoredRange range : ranges) {
            long needed = CountedProfile.blocks(range) * CountedProfile.BLOCK;
            long size = range.size() <= most && needed <= left ? needed : 0;
            counters.add(arena.allocate(JAVA_INT, size));
            left -= size;
        }
    }

    boolean isCounted(int column) {
        return counters.get(column).byteSize() > 0;
    }

    /** Counts offsets of a column from {@code from} to before {@code to}, each less than its range's size, if it is counted. */
    void add(int column, long[] offsets, int from, int to) {
        if (isCounted(column)) {
            add(counters.get(column), offsets, from, to);
        }
    }

    private static void add(MemorySegment counts, long[] offsets, int from, int to) {
        for (int i = from; i < to; i++) {
            counts.setAtIndex(JAVA_INT, offsets[i], counts.getAtIndex(JAVA_INT, offsets[i]) + 1);
        }
    }

    /** Writes the profile of a counted column. */
    void write(int column, SectionWriter into) throws IOException {
        MemorySegment counts = counters.get(column);
        CountedProfileWriter profile = new CountedProfileWriter(into);
        int[] piece = new int[CountedProfileWriter.PIECE];
        long size = counts.byteSize() / Integer.BYTES;
        for (long from = 0; from < size; from += piece.length) {
            int length = (int) Math.min(piece.length, size - from);
            MemorySegment.copy(counts, JAVA_INT, from * Integer.BYTES, piece, 0, length);
            profile.add(piece, length);
        }
    }
}
