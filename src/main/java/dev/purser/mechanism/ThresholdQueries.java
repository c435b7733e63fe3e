package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * A fixed list of statistics to compare with one public threshold, all in steps of one common grid.
 *
 * @param statistics in the order they are examined; at least one
 * @param stepFactors for each statistic, the number of common steps in one of its own steps; at least 1
 * @param thresholdSteps the threshold in common steps
 */
public record ThresholdQueries(
        List<Statistic> statistics,
        List<BigInteger> stepFactors,
        BigInteger thresholdSteps,
        Neighborhood neighborhood) {
    public ThresholdQueries {
        statistics = List.copyOf(statistics);
        stepFactors = List.copyOf(stepFactors);
        if (statistics.isEmpty() || statistics.size() != stepFactors.size()) {
            throw new IllegalArgumentException("one step factor for each of at least one statistic");
        }
        // A factor of zero or below would remove the statistic from the list's sensitivity, or reverse its direction.
        if (stepFactors.stream().anyMatch(factor -> factor.signum() <= 0)) {
            throw new IllegalArgumentException("step factors must be at least 1");
        }
    }

    /** Counts, on the grid of whole rows. */
    public static ThresholdQueries ofCounts(List<Statistic.Count> counts, long threshold, Neighborhood neighborhood) {
        return new ThresholdQueries(
                List.copyOf(counts),
                counts.stream().map(count -> BigInteger.ONE).toList(),
                BigInteger.valueOf(threshold),
                neighborhood);
    }

    /** The number of statistics. */
    public int size() {
        return statistics.size();
    }

    /** The list's sensitivity: the largest of its statistics' sensitivities, in common steps. */
    BigInteger l1Sensitivity() {
        BigInteger largest = BigInteger.ZERO;
        for (int i = 0; i < statistics.size(); i++) {
            largest = largest.max(statistics.get(i).l1Sensitivity(neighborhood).multiply(stepFactors.get(i)));
        }
        return largest;
    }

    boolean isMonotone() {
        return Monotonicity.holds(statistics, neighborhood);
    }

    ThresholdVariant.Setting setting(int maxPositives) {
        return new ThresholdVariant.Setting(l1Sensitivity(), isMonotone(), size(), maxPositives);
    }

    List<BigInteger> exact(List<Buckets> tables) {
        List<BigInteger> values = new ArrayList<>(statistics.size());
        for (int i = 0; i < statistics.size(); i++) {
            values.add(statistics.get(i).of(tables).multiply(stepFactors.get(i)));
        }
        return values;
    }
}
