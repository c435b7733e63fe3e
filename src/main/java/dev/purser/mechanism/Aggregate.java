package dev.purser.mechanism;

import dev.purser.privacy.Grid;
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

    /** What is computed. The variance is that of the group's rows themselves: it divides by their number. */
    public enum Function {
        COUNT,
        SUM,
        MEAN,
        VARIANCE,
        STANDARD_DEVIATION
    }

    /**
     * The values of a column, clamped to a public range.
     *
     * @param table the position of the bucket table
     * @param lower in grid steps; like {@code upper}, at most {@link Grid#MAX_MAGNITUDE} from zero
     * @param upper in grid steps, at least {@code lower}
     */
    public record Measure(String column, Grid grid, int table, long lower, long upper) {
        public Measure {
            if (lower > upper) {
                throw new IllegalArgumentException("lower must not pass upper");
            }
            if (lower < -Grid.MAX_MAGNITUDE || upper > Grid.MAX_MAGNITUDE) {
                throw new IllegalArgumentException("bounds are at most 2^40 grid steps from zero");
            }
        }
    }
}
