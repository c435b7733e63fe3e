package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.mechanism.Buckets;
import dev.purser.rows.ColumnValues;
import dev.purser.rows.RowsFile;
import dev.purser.rows.StoredRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the rows under a filter, for all requests on one column. Every row is read, tested, and added to its
 * value's bucket; a row that does not pass adds zero. Public facts fix the work for a row.
 */
final class RowScan {
    /** The rows of a block, whose values and masks fit in the processor's L1 cache. */
    static final int BLOCK_ROWS = 2048;

    /**
     * After this many rows the 64-bit sums are carried over into 128 bits: an offset is at most 2^41, so a sum of them
     * is at most 2^62.
     */
    private static final long CARRY_ROWS = 1L << 21;

    private static final long CLOCK_ROWS = 1L << 15;
    private static final StoredRange NO_COLUMN = new StoredRange(0, 0);

    private final RowsFile rows;
    private final Dataset dataset;
    private final @Nullable Column column;
    private final Filter filter;
    private final StoredRange range;
    private final List<Target> targets;

    /** The lookup of one request's buckets, and their totals over all threads. */
    private record Target(BucketLookup lookup, int buckets, Buckets.Builder into) {}

    /**
     * @param column the bucketed column, or null to count rows only
     * @param requests on that column under that filter
     * @param builders one for each request, over its edges
     */
    RowScan(
            RowsFile rows,
            Dataset dataset,
            @Nullable Column column,
            Filter filter,
            List<BucketRequest> requests,
            List<Buckets.Builder> builders) {
        this.rows = rows;
        this.dataset = dataset;
        this.column = column;
        this.filter = filter;
        range = column == null ? NO_COLUMN : column.range();
        targets = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            long[] edges = requests.get(i).edges();
            targets.add(new Target(new BucketLookup(range, edges), edges.length + 1, builders.get(i)));
        }
    }

    /**
     * Adds the rows from {@code from} to before {@code to} to the buckets. Threads may call this concurrently.
     *
     * @param deadline of {@link System#nanoTime}
     * @throws IOException if the rows are damaged
     * @throws TimeoutException if the deadline passes
     */
    void add(long from, long to, long deadline) throws IOException, TimeoutException {
        RowMask mask = new RowMask(rows, dataset, filter);
        ColumnValues.Reader values = column == null
                ? (row, into, count) -> {}
                : rows.values(dataset.columns().indexOf(column)).reader();
        List<Tally> tallies = targets.stream().map(Tally::new).toList();
        long[] offsets = new long[BLOCK_ROWS];
        long[] masks = new long[BLOCK_ROWS];
        for (long at = from; at < to; at += BLOCK_ROWS) {
            int count = (int) Math.min(BLOCK_ROWS, to - at);
            if ((at - from) % CLOCK_ROWS == 0 && System.nanoTime() - deadline > 0) {
                throw new TimeoutException();
            }
            if ((at - from) % CARRY_ROWS == 0) {
                tallies.forEach(Tally::carryOver);
            }
            mask.read(at, masks, count);
            values.read(at, offsets, count);
            tallies.forEach(tally -> tally.add(offsets, masks, count));
        }
        tallies.forEach(Tally::carryOver);
    }

    /** The totals of one thread for one request since the last carry. */
    private final class Tally {
        private final Target target;
        private final int[] buckets = new int[BLOCK_ROWS];
        private final long[] counts;
        private final long[] offsetSums;

        private Tally(Target target) {
            this.target = target;
            counts = new long[target.buckets()];
            offsetSums = new long[target.buckets()];
        }

        private void add(long[] offsets, long[] masks, int count) {
            target.lookup().find(offsets, buckets, count);
            for (int i = 0; i < count; i++) {
                int bucket = buckets[i];
                counts[bucket] -= masks[i];
                offsetSums[bucket] += offsets[i] & masks[i];
            }
        }

        private void carryOver() {
            synchronized (target.into()) {
                for (int bucket = 0; bucket < counts.length; bucket++) {
                    // An offset is a distance from the lower bound, which is at most 2^40 from zero.
                    long sum = offsetSums[bucket] + range.lower() * counts[bucket];
                    target.into().addTo(bucket, counts[bucket], sum);
                    counts[bucket] = 0;
                    offsetSums[bucket] = 0;
                }
            }
        }
    }
}
