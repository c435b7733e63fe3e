package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.mechanism.Buckets;
import dev.purser.rows.ColumnValues;
import dev.purser.rows.RowsFile;
import dev.purser.rows.StoredRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * One pass over the rows under a filter, for all requests on one column and with the same keys. Every row is read,
 * tested, and added to its value's bucket of its group. A row that does not pass, or is in no group, adds zero. If
 * units are counted, only the first passing row of a unit in each group adds one. Public facts fix the work for a row.
 * The memory of a thread is two words for each bucket of each group, four with squares.
 */
final class RowScan {
    /** The rows of a block, whose values and masks fit in the processor's L1 cache. */
    static final int BLOCK_ROWS = 2048;

    /**
     * After this many rows the 64-bit sums are carried over into 128 bits: an offset is at most 2^41, so a sum of them
     * is at most 2^62.
     */
    private static final long CARRY_ROWS = 1L << 21;

    /**
     * A square has at most 82 bits. These low bits and the bits above them are added separately, so that neither sum
     * wraps.
     */
    private static final int LOW_BITS = 42;

    private static final long LOW = (1L << LOW_BITS) - 1;

    private static final long CLOCK_ROWS = 1L << 15;
    private static final StoredRange NO_COLUMN = new StoredRange(0, 0);

    private final Dataset dataset;
    private final SharedPass pass;
    private final StoredRange range;
    private final List<RowGroups.KeyLookup> keys;
    private final List<Target> targets = new ArrayList<>();

    /**
     * The lookup of one request's buckets, and their totals over all threads. Edges that separate no values of the
     * column, such as its own bounds, make no bucket in the scan.
     *
     * @param first the bucket of the least value
     * @param buckets how many buckets can have values: the first bucket and the buckets after it
     */
    private record Target(
            int groups, int first, int buckets, boolean squares, BucketLookup lookup, Buckets.Builder into) {
        private static Target of(StoredRange range, BucketRequest request, Buckets.Builder into) {
            long[] parting = range.parting(request.edges());
            return new Target(
                    request.groups(),
                    range.passed(request.edges()),
                    parting.length + 1,
                    request.squares(),
                    new BucketLookup(range, parting),
                    into);
        }
    }

    RowScan(Dataset dataset, SharedPass pass) {
        this.dataset = dataset;
        this.pass = pass;
        range = pass.column() == null ? NO_COLUMN : pass.column().range();
        keys = RowGroups.KeyLookup.of(pass.keys());
    }

    /** Whether units are counted. The rows of a file must then be added by one call. */
    boolean isOfUnits() {
        return pass.units();
    }

    /**
     * Adds a request to the pass. This is done before rows are added.
     *
     * @param request a request of this pass
     * @param into gets the statistics, and has the groups and edges of the request
     */
    void serve(BucketRequest request, Buckets.Builder into) {
        targets.add(Target.of(range, request, into));
    }

    /**
     * Adds the rows of a file from {@code from} to before {@code to} to the buckets. Threads may call this
     * concurrently.
     *
     * @param deadline a time of {@link System#nanoTime}
     * @throws IOException if the rows are damaged
     * @throws TimeoutException if the deadline passes
     */
    void add(RowsFile rows, long from, long to, long deadline) throws IOException, TimeoutException {
        RowMask mask = new RowMask(rows, dataset, pass.filter());
        RowGroups group = new RowGroups(rows, dataset, keys);
        ColumnValues.Reader values = pass.column() == null
                ? (row, into, count) -> {}
                : rows.values(dataset.columns().indexOf(pass.column())).reader();
        UnitMask units = pass.units() ? new UnitMask(rows, pass.keys()) : null;
        List<Tally> tallies = targets.stream().map(Tally::new).toList();
        long[] offsets = new long[BLOCK_ROWS];
        long[] masks = new long[BLOCK_ROWS];
        int[] groups = new int[BLOCK_ROWS];
        for (long at = from; at < to; at += BLOCK_ROWS) {
            int count = (int) Math.min(BLOCK_ROWS, to - at);
            if ((at - from) % CLOCK_ROWS == 0 && System.nanoTime() - deadline > 0) {
                throw new TimeoutException();
            }
            if ((at - from) % CARRY_ROWS == 0) {
                tallies.forEach(Tally::carryOver);
            }
            mask.read(at, masks, count);
            group.read(at, groups, masks, count);
            if (units != null) {
                units.read(at, groups, masks, count);
            }
            values.read(at, offsets, count);
            tallies.forEach(tally -> tally.add(groups, offsets, masks, count));
        }
        tallies.forEach(Tally::carryOver);
    }

    /** The totals of one thread for one request since the last carry, in the order of groups and their buckets. */
    private final class Tally {
        private final Target target;
        private final int buckets;
        private final int[] cells = new int[BLOCK_ROWS];
        private final long[] counts;
        private final long[] offsetSums;
        private final long[] lowSquares;
        private final long[] highSquares;

        private Tally(Target target) {
            this.target = target;
            buckets = target.buckets();
            counts = new long[target.groups() * buckets];
            offsetSums = new long[counts.length];
            lowSquares = new long[target.squares() ? counts.length : 0];
            highSquares = new long[lowSquares.length];
        }

        private void add(int[] groups, long[] offsets, long[] masks, int count) {
            target.lookup().find(offsets, cells, count);
            if (!keys.isEmpty()) {
                for (int i = 0; i < count; i++) {
                    cells[i] += groups[i] * buckets;
                }
            }
            for (int i = 0; i < count; i++) {
                int cell = cells[i];
                counts[cell] -= masks[i];
                offsetSums[cell] += offsets[i] & masks[i];
            }
            if (target.squares()) {
                addSquares(offsets, masks, count);
            }
        }

        private void addSquares(long[] offsets, long[] masks, int count) {
            for (int i = 0; i < count; i++) {
                int cell = cells[i];
                long offset = offsets[i] & masks[i];
                long square = offset * offset;
                long beyond = Math.multiplyHigh(offset, offset);
                lowSquares[cell] += square & LOW;
                highSquares[cell] += beyond << (Long.SIZE - LOW_BITS) | square >>> LOW_BITS;
            }
        }

        private void carryOver() {
            synchronized (target.into()) {
                for (int cell = 0; cell < counts.length; cell++) {
                    int group = cell / buckets;
                    int bucket = target.first() + cell % buckets;
                    // An offset is a distance from the lower bound, which is at most 2^40 from zero.
                    long sum = offsetSums[cell] + range.lower() * counts[cell];
                    target.into().addTo(group, bucket, counts[cell], sum);
                    if (target.squares()) {
                        carrySquares(cell, group, bucket, sum);
                    }
                    counts[cell] = 0;
                    offsetSums[cell] = 0;
                }
            }
        }

        /** For x = lower + offset, Σ x² = lower · (Σ x + Σ offset) + Σ offset²; the factor is less than 2^63. */
        private void carrySquares(int cell, int group, int bucket, long sum) {
            long factor = sum + offsetSums[cell];
            long high = highSquares[cell];
            Buckets.Builder into = target.into();
            into.addSquaresTo(group, bucket, Math.multiplyHigh(range.lower(), factor), range.lower() * factor);
            into.addSquaresTo(group, bucket, high >>> (Long.SIZE - LOW_BITS), high << LOW_BITS);
            into.addSquaresTo(group, bucket, 0, lowSquares[cell]);
            lowSquares[cell] = 0;
            highSquares[cell] = 0;
        }
    }
}
