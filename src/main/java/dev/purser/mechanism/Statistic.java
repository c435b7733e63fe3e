package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.LongStream;

/**
 * One exact number about the rows, described by public facts alone: the bucket table it is read from, and the edges it
 * lies between. It is an integer of the column's grid; counts are in whole rows.
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

    /** The exact value. Only a mechanism can have the tables to ask for it. */
    BigInteger of(List<Buckets> tables);

    /**
     * The number of rows with {@code from <= x < to}.
     *
     * @param selective whether the table's filter can leave out rows
     */
    record Count(int table, boolean selective, long from, long to) implements Statistic {
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
     * Σ min(x, bound) − Σ min(x, bound + step): minus what clipping at {@code bound} loses against clipping at
     * {@code bound + step}. It is never above zero. Each row lowers it by at most {@code step}.
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
     * Σ (2·clamp(x, lower, upper) − (lower + upper)): the sum of the distances from the middle of the range, in half
     * steps.
     *
     * @param selective whether the table's filter can leave out rows
     * @param lower at most {@code upper}
     */
    record CenteredSum(int table, boolean selective, long lower, long upper) implements Statistic {
        public CenteredSum {
            if (lower > upper) {
                throw new IllegalArgumentException("lower must not pass upper");
            }
        }

        /** The largest distance of a value from the middle, in half steps: the width of the range, in steps. */
        BigInteger largestTerm() {
            return BigInteger.valueOf(upper - lower);
        }

        @Override
        public LongStream edges() {
            return LongStream.of(lower, upper);
        }

        @Override
        public BigInteger l1Sensitivity(Neighborhood neighborhood) {
            return L1Sensitivity.sum(neighborhood, selective, largestTerm().negate(), largestTerm());
        }

        @Override
        public BigInteger of(List<Buckets> tables) {
            BigInteger sum = new ClampedSum(table, selective, lower, upper).of(tables);
            return sum.shiftLeft(1)
                    .subtract(times(lower + upper, tables.get(table).totalCount()));
        }
    }

    /**
     * Σ (h² − ⌈R²/2⌉) with h = 2·clamp(x, lower, upper) − (lower + upper) and R = upper − lower: the sum of the squared
     * distances from the middle of the range, less about half of the largest square, in quarters of squared steps. A
     * term lies within ⌊R²/2⌋ of zero: h has the parity of R, so h² is at least 1 where R is odd.
     *
     * @param selective whether the table's filter can leave out rows
     * @param lower at most {@code upper}
     */
    record CenteredSquares(int table, boolean selective, long lower, long upper) implements Statistic {
        public CenteredSquares {
            if (lower > upper) {
                throw new IllegalArgumentException("lower must not pass upper");
            }
        }

        private BigInteger largestSquare() {
            return BigInteger.valueOf(upper - lower).pow(2);
        }

        /** ⌊R²/2⌋, the largest distance of a term from zero. */
        BigInteger largestTerm() {
            return largestSquare().shiftRight(1);
        }

        /** ⌈R²/2⌉, which every square is reduced by. */
        BigInteger reduction() {
            return largestSquare().subtract(largestTerm());
        }

        @Override
        public LongStream edges() {
            return LongStream.of(lower, upper);
        }

        @Override
        public BigInteger l1Sensitivity(Neighborhood neighborhood) {
            return L1Sensitivity.sum(neighborhood, selective, largestTerm().negate(), largestTerm());
        }

        @Override
        public BigInteger of(List<Buckets> tables) {
            Buckets buckets = tables.get(table);
            BigInteger count = BigInteger.valueOf(buckets.totalCount());
            BigInteger ends = BigInteger.valueOf(lower + upper);
            BigInteger sum = new ClampedSum(table, selective, lower, upper).of(tables);
            BigInteger squares = buckets.squaresBelow(upper)
                    .subtract(buckets.squaresBelow(lower))
                    .add(times(lower, buckets.countBelow(lower)).multiply(BigInteger.valueOf(lower)))
                    .add(times(upper, buckets.totalCount() - buckets.countBelow(upper))
                            .multiply(BigInteger.valueOf(upper)));
            // Σh² = 4·Σc² − 4·(lower + upper)·Σc + n·(lower + upper)², with c the clamped value.
            return squares.subtract(ends.multiply(sum))
                    .shiftLeft(2)
                    .add(count.multiply(ends.pow(2).subtract(reduction())));
        }
    }

    private static BigInteger times(long value, long count) {
        return BigInteger.valueOf(value).multiply(BigInteger.valueOf(count));
    }
}
