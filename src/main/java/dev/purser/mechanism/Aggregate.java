package dev.purser.mechanism;

import dev.purser.mechanism.Statistic.RowsWithin;
import dev.purser.privacy.Grid;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * One number that a table has for each of its groups.
 *
 * @param measure the values that it is computed of; null for a count
 * @param weight how much of the allowance it gets beside the others, at least 1
 */
public record Aggregate(Function function, @Nullable Measure measure, int weight) {
    public Aggregate {
        if ((measure == null) != (function == Function.COUNT)) {
            throw new IllegalArgumentException("a count has no measure, and everything else has one");
        }
    }

    /** The resolution of the values; of a count, one. */
    BigDecimal resolution() {
        return measure == null ? BigDecimal.ONE : measure.grid().resolution();
    }

    /** The mean or the variance of values that are all clamped to one. */
    IntervalEstimate ofNoWidth() {
        BigInteger only =
                measure == null || function.isOfSquares() ? BigInteger.ZERO : BigInteger.valueOf(measure.lower());
        return IntervalEstimate.of(only, only, only, resolution());
    }

    /** What is computed. The variance is that of the group's rows themselves: it divides by their number. */
    public enum Function {
        COUNT,
        SUM,
        MEAN,
        VARIANCE,
        STANDARD_DEVIATION;

        /** Whether it is computed of squares or products of values. */
        public boolean isOfSquares() {
            return this == VARIANCE || this == STANDARD_DEVIATION;
        }
    }

    /**
     * The values of a column, clamped to a public range; or for each row 1 if its value lies somewhere, and 0 if not.
     * The mean of these is a share.
     *
     * @param table the position of the bucket table
     * @param lower in grid steps; like {@code upper}, at most {@link Grid#MAX_MAGNITUDE} from zero
     * @param upper in grid steps, at least {@code lower}
     * @param within the rows that are 1; null for the values themselves
     */
    public record Measure(
            String column,
            Grid grid,
            int table,
            long lower,
            long upper,
            @Nullable RowsWithin within) {
        /** The values themselves. */
        public Measure(String column, Grid grid, int table, long lower, long upper) {
            this(column, grid, table, lower, upper, null);
        }

        /** Whether the values lie within these ranges. */
        public static Measure whether(String column, RowsWithin within) {
            return new Measure(column, Grid.ONE, within.table(), 0, 1, within);
        }

        /** The sum of what is measured. */
        Statistic sum() {
            return within == null ? new Statistic.ClampedSum(table, true, lower, upper) : within;
        }

        public Measure {
            if (lower > upper) {
                throw new IllegalArgumentException("lower must not pass upper");
            }
            if (lower < -Grid.MAX_MAGNITUDE || upper > Grid.MAX_MAGNITUDE) {
                throw new IllegalArgumentException("bounds are at most 2^40 grid steps from zero");
            }
        }

        /** The width of the range, in grid steps. */
        BigInteger width() {
            return BigInteger.valueOf(upper - lower);
        }
    }
}
