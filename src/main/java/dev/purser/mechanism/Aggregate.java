package dev.purser.mechanism;

import dev.purser.privacy.Grid;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * One number that a table has for each of its groups.
 *
 * @param measure the measure that it is computed of; null for a number of rows
 * @param weight its weight in the division of the allowance over the aggregates, at least 1
 */
public record Aggregate(Function function, @Nullable Measure measure, int weight) {
    public Aggregate {
        if ((measure == null) != (function == Function.COUNT)) {
            throw new IllegalArgumentException("a count of rows has no measure, and everything else has one");
        }
    }

    /** The resolution of the values. For a count it is 1. */
    BigDecimal resolution() {
        return measure == null ? BigDecimal.ONE : measure.grid().resolution();
    }

    /** The mean or the variance of values that are all clamped to the same number. */
    IntervalEstimate ofNoWidth() {
        BigInteger only =
                measure == null || function.isOfSquares() ? BigInteger.ZERO : BigInteger.valueOf(measure.lower());
        return IntervalEstimate.of(only, only, only, resolution());
    }

    /** The computed number. The variance of a group divides by the number of its rows. */
    public enum Function {
        COUNT,
        /** The number of privacy units with a row in the group. */
        UNITS,
        SUM,
        MEAN,
        VARIANCE,
        STANDARD_DEVIATION;

        /** Whether it is a number of rows or of privacy units. */
        public boolean isCount() {
            return this == COUNT || this == UNITS;
        }

        /** Whether it is computed of squares or products of values. */
        public boolean isOfSquares() {
            return this == VARIANCE || this == STANDARD_DEVIATION;
        }
    }

    /**
     * The numbers that an aggregate is computed of: the values of a column, clamped to a public range, or the privacy
     * units. For a share they are 1 for each row whose value lies in public ranges, and 0 for each other row. The share
     * is their mean.
     *
     * @param table the position of the bucket table
     * @param lower in grid steps; like {@code upper}, at most {@link Grid#MAX_MAGNITUDE} from zero
     * @param upper in grid steps, at least {@code lower}
     * @param counted the number of the rows that are 1, or of the units; null for the values themselves
     */
    public record Measure(
            String column,
            Grid grid,
            int table,
            long lower,
            long upper,
            @Nullable Statistic counted) {
        /** The values themselves. */
        public Measure(String column, Grid grid, int table, long lower, long upper) {
            this(column, grid, table, lower, upper, null);
        }

        /** The number 1 for each row whose value lies within these ranges, and 0 for each other row. */
        public static Measure whether(String column, Statistic.RowsWithin within) {
            return new Measure(column, Grid.ONE, within.table(), 0, 1, within);
        }

        /** The privacy units with at least one row in a table of units. */
        public static Measure units(int table) {
            return new Measure("", Grid.ONE, table, 0, 1, new Statistic.UnitCount(table, true));
        }

        /** Whether this is a share of the rows by their values of this column. */
        boolean isShareOf(String named) {
            return counted instanceof Statistic.RowsWithin && column.equals(named);
        }

        /** The sum of the numbers. */
        Statistic sum() {
            return counted == null ? new Statistic.ClampedSum(table, true, lower, upper) : counted;
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
