package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.LongStream;

/**
 * One exact number about the rows, described by public facts alone: the bucket table it is read from, and the edges it
 * lies between. It is an integer of the column's grid. Counts are in whole rows.
 */
public sealed interface Statistic {
    /** Marks the open lower end of a range. */
    long NO_LOWER_END = Long.MIN_VALUE;

    /** Marks the open upper end of a range. */
    long NO_UPPER_END = Long.MAX_VALUE;

    /** The position of the bucket table this is read from. Statistics of one table have the same column and filter. */
    int table();

    /** The bucket edges this needs in its table. */
    LongStream edges();

    /** The largest change that one privacy unit can cause, in this statistic's own grid steps. */
    BigInteger l1Sensitivity(Neighborhood neighborhood);

    /** The exact value. Only a mechanism can open the tables that it needs. */
    BigInteger of(List<Buckets> tables);

    /** A number of rows or of privacy units. */
    sealed interface Counting extends Statistic permits Count, UnitCount {}

    /**
     * The number of rows with {@code from <= x < to}.
     *
     * @param selective whether the table's filter can leave out rows
     */
    record Count(int table, boolean selective, long from, long to) implements Counting {
        /** The number of all rows of a table. */
        public static Count ofAll(int table, boolean selective) {
            return new Count(table, selective, NO_LOWER_END, NO_UPPER_END);
        }

        boolean isOpenBelow() {
            return from == NO_LOWER_END;
        }

        boolean isOpenAbove() {
            return to == NO_UPPER_END;
        }

        @Override
        public LongStream edges() {
            return LongStream.of(from, to).filter(edge -> edge != NO_LOWER_END && edge != NO_UPPER_END);
        }

        @Override
        public BigInteger l1Sensitivity(Neighborhood neighborhood) {
            boolean filtered = selective || !isOpenBelow() || !isOpenAbove();
            return L1Sensitivity.count(neighborhood, filtered);
        }

        @Override
        public BigInteger of(List<Buckets> tables) {
            if (from >= to) {
                return BigInteger.ZERO;
            }
            Buckets buckets = tables.get(table);
            long below = isOpenAbove() ? buckets.totalCount() : buckets.countBelow(to);
            return BigInteger.valueOf(isOpenBelow() ? below : below - buckets.countBelow(from));
        }
    }

    /**
     * The number of privacy units with at least one row in a table of units.
     *
     * @param selective whether the table's filter can leave out rows
     */
    record UnitCount(int table, boolean selective) implements Counting {
        @Override
        public LongStream edges() {
            return LongStream.empty();
        }

        @Override
        public BigInteger l1Sensitivity(Neighborhood neighborhood) {
            return L1Sensitivity.units(neighborhood, selective);
        }

        @Override
        public BigInteger of(List<Buckets> tables) {
            return BigInteger.valueOf(tables.get(table).totalCount());
        }
    }

    /**
     * The number of rows that lie in one of some ranges.
     *
     * @param ranges of one table, disjoint
     */
    record RowsWithin(int table, List<Count> ranges) implements Statistic {
        public RowsWithin {
            ranges = List.copyOf(ranges);
        }

        @Override
        public LongStream edges() {
            return ranges.stream().flatMapToLong(Count::edges);
        }

        @Override
        public BigInteger l1Sensitivity(Neighborhood neighborhood) {
            return L1Sensitivity.count(neighborhood, true);
        }

        @Override
        public BigInteger of(List<Buckets> tables) {
            return ranges.stream().map(range -> range.of(tables)).reduce(BigInteger.ZERO, BigInteger::add);
        }
    }

    /** Minus a count, for searches that stop once few rows are left. */
    record NegatedCount(Count count) implements Statistic {
        @Override
        public int table() {
            return count.table();
        }

        @Override
        public LongStream edges() {
            return count.edges();
        }

        @Override
        public BigInteger l1Sensitivity(Neighborhood neighborhood) {
            return count.l1Sensitivity(neighborhood);
        }

        @Override
        public BigInteger of(List<Buckets> tables) {
            return count.of(tables).negate();
        }
    }

    /**
     * Σ clamp(x, lower, upper).
     *
     * @param selective whether the table's filter can leave out rows
     * @param lower at most {@code upper}
     */
    record ClampedSum(int table, boolean selective, long lower, long upper) implements Statistic {
        public ClampedSum {
            if (lower > upper) {
                throw new IllegalArgumentException("lower must not pass upper");
            }
        }

        @Override
        public LongStream edges() {
            return LongStream.of(lower, upper);
        }

        @Override
        public BigInteger l1Sensitivity(Neighborhood neighborhood) {
            return L1Sensitivity.sum(neighborhood, selective, BigInteger.valueOf(lower), BigInteger.valueOf(upper));
        }

        @Override
        public BigInteger of(List<Buckets> tables) {
            Buckets buckets = tables.get(table);
            BigInteger between = buckets.sumBelow(upper).subtract(buckets.sumBelow(lower));
            return between.add(times(lower, buckets.countBelow(lower)))
                    .add(times(upper, buckets.totalCount() - buckets.countBelow(upper)));
        }
    }

    /**
     * Σ min(x, bound) − Σ min(x, bound + step): the negative of what the sum loses when values are clipped at
     * {@code bound} instead of {@code bound + step}. It is never above zero. Each row lowers it by at most
     * {@code step}.
     *
     * @param selective whether the table's filter can leave out rows
     * @param step above zero
     */
    record ClipLoss(int table, boolean selective, long bound, long step) implements Statistic {
        public ClipLoss {
            if (step < 1) {
                throw new IllegalArgumentException("step must be above zero");
            }
        }

        @Override
        public LongStream edges() {
            return LongStream.of(bound, Math.addExact(bound, step));
        }

        @Override
        public BigInteger l1Sensitivity(Neighborhood neighborhood) {
            // Each row's part lies in [−step, 0], whether or not a filter can drop it.
            return BigInteger.valueOf(neighborhood.unit().maxRows()).multiply(BigInteger.valueOf(step));
        }

        @Override
        public BigInteger of(List<Buckets> tables) {
            Buckets buckets = tables.get(table);
            return clippedAt(buckets, bound).subtract(clippedAt(buckets, Math.addExact(bound, step)));
        }

        private static BigInteger clippedAt(Buckets buckets, long bound) {
            return buckets.sumBelow(bound).add(times(bound, buckets.totalCount() - buckets.countBelow(bound)));
        }
    }

    /**
     * Σ (clamp(x, lower, upper) − lower)·(upper − clamp(x, lower, upper)): the sum of the products of the distances
     * from both ends of the range. A term lies in [0, ⌊R²/4⌋], R = upper − lower.
     *
     * @param selective whether the table's filter can leave out rows
     * @param lower at most {@code upper}
     */
    record Products(int table, boolean selective, long lower, long upper) implements Statistic {
        public Products {
            if (lower > upper) {
                throw new IllegalArgumentException("lower must not pass upper");
            }
        }

        /** ⌊R²/4⌋. */
        BigInteger largestTerm() {
            return BigInteger.valueOf(upper - lower).pow(2).shiftRight(2);
        }

        @Override
        public LongStream edges() {
            return LongStream.of(lower, upper);
        }

        @Override
        public BigInteger l1Sensitivity(Neighborhood neighborhood) {
            return L1Sensitivity.sum(neighborhood, selective, BigInteger.ZERO, largestTerm());
        }

        @Override
        public BigInteger of(List<Buckets> tables) {
            Buckets buckets = tables.get(table);
            BigInteger sum = new ClampedSum(table, selective, lower, upper).of(tables);
            BigInteger squares = buckets.squaresBelow(upper)
                    .subtract(buckets.squaresBelow(lower))
                    .add(times(lower, buckets.countBelow(lower)).multiply(BigInteger.valueOf(lower)))
                    .add(times(upper, buckets.totalCount() - buckets.countBelow(upper))
                            .multiply(BigInteger.valueOf(upper)));
            // (c − lower)·(upper − c) = (lower + upper)·c − c² − lower·upper, with c the clamped value.
            return sum.multiply(BigInteger.valueOf(lower + upper))
                    .subtract(squares)
                    .subtract(times(lower, buckets.totalCount()).multiply(BigInteger.valueOf(upper)));
        }
    }

    private static BigInteger times(long value, long count) {
        return BigInteger.valueOf(value).multiply(BigInteger.valueOf(count));
    }
}
