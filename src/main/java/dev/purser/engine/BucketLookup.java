package dev.purser.engine;

import dev.purser.rows.StoredRange;
import java.util.Arrays;

/**
 * Finds the bucket of a stored integer between public edges, without a branch on it and in a fixed number of steps.
 *
 * <p>The column's range is divided into at most {@value #MAX_CELLS} cells of equal width. A table gives the number of
 * edges at or below the start of each cell. Edges inside a cell are found by bisection, in as many steps as the fullest
 * cell needs. Cells and steps follow from the bounds and the edges, so the work for a row reveals nothing about it. A
 * range with no more integers than cells needs only the table. A thousand even edges need only the table, too.
 */
final class BucketLookup {
    private static final int CELL_BITS = 14;
    private static final int MAX_CELLS = 1 << CELL_BITS;

    private final int shift;
    private final int[] edgesBeforeCell;

    /** Ascending offsets, followed by as many offsets beyond the range as a search may read. */
    private final long[] edges;

    private final int firstStep;

    /**
     * @param range the range of the column
     * @param sortedEdges strictly ascending stored integers, inside the range or outside
     */
    BucketLookup(StoredRange range, long[] sortedEdges) {
        long greatest = range.size() - 1;
        shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(greatest) - CELL_BITS);
        long[] offsets = Arrays.stream(sortedEdges).map(range::offset).toArray();
        edgesBeforeCell = new int[(int) (greatest >> shift) + 1];
        int most = 0;
        int edge = 0;
        for (int cell = 0; cell < edgesBeforeCell.length; cell++) {
            int first = skipTo(((long) cell << shift) + 1, offsets, edge);
            edgesBeforeCell[cell] = first;
            edge = skipTo((cell + 1L) << shift, offsets, first);
            most = Math.max(most, edge - first);
        }
        firstStep = Integer.highestOneBit(most);
        edges = Arrays.copyOf(offsets, offsets.length + firstStep);
        Arrays.fill(edges, offsets.length, edges.length, range.size());
    }

    /** The position of the first edge, from {@code from} on, that is at least {@code bound}. */
    private static int skipTo(long bound, long[] offsets, int from) {
        int at = from;
        while (at < offsets.length && offsets[at] < bound) {
            at++;
        }
        return at;
    }

    /**
     * Writes into {@code buckets} the number of edges at or below each value.
     *
     * @param offsets values as distances from the lower bound
     */
    void find(long[] offsets, int[] buckets, int count) {
        for (int i = 0; i < count; i++) {
            buckets[i] = edgesBeforeCell[(int) (offsets[i] >> shift)];
        }
        for (int step = firstStep; step > 0; step >>= 1) {
            for (int i = 0; i < count; i++) {
                int bucket = buckets[i];
                // All ones where the edge is at or below the value.
                long isReached = ~((offsets[i] - edges[bucket + step - 1]) >> 63);
                buckets[i] = bucket + (step & (int) isReached);
            }
        }
    }
}
