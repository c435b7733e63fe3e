package dev.purser.mechanism;

import dev.purser.privacy.Grid;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;

/**
 * The target of a mean: one column's values, clamped to a public range, among the rows of one bucket table.
 *
 * @param selective whether the table's filter can leave out rows
 * @param lower in grid steps; like {@code upper}, at most {@link Grid#MAX_MAGNITUDE} from zero
 * @param upper in grid steps, at least {@code lower}
 */
public record MeanTarget(int table, boolean selective, long lower, long upper, Neighborhood neighborhood) {
    public MeanTarget {
        if (lower > upper) {
            throw new IllegalArgumentException("lower must not pass upper");
        }
        if (lower < -Grid.MAX_MAGNITUDE || upper > Grid.MAX_MAGNITUDE) {
            throw new IllegalArgumentException("bounds are at most 2^40 grid steps from zero");
        }
    }

    Statistic.Count count() {
        return Statistic.Count.ofAll(table, selective);
    }

    Statistic.ClampedSum sum() {
        return new Statistic.ClampedSum(table, selective, lower, upper);
    }

    BigInteger countSensitivity() {
        return count().l1Sensitivity(neighborhood);
    }

    /** Whether the number of rows is public, so that a mean needs no noisy count. */
    boolean hasPublicCount() {
        return countSensitivity().signum() == 0;
    }

    MeanTarget clampedTo(long newLower, long newUpper) {
        return new MeanTarget(table, selective, newLower, newUpper, neighborhood);
    }
}
