package dev.purser.collection;

import java.util.Arrays;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Unbiased estimates of several quantities, with an interval for each. All intervals hold together with probability
 * {@code 1 - beta}, over the randomness of the reports, whatever the devices' values are.
 *
 * @param values unbiased, so they may lie outside the possible range
 * @param variances of the values, at most
 * @param halfWidths of the intervals around them
 */
record Estimate(double[] values, double[] variances, double[] halfWidths) {
    /** From so many reports on, the error of a mean is taken as normal. */
    static final long NORMAL_FROM = 1_000;

    /**
     * Intervals from the variances of the estimates: by Chebyshev's inequality, which holds for any number of reports,
     * and from {@value #NORMAL_FROM} reports on by the normal approximation. Bonferroni's inequality joins them.
     *
     * @param variances of the estimates, at most
     * @param beta the probability that one of the intervals misses
     */
    static Estimate of(double[] values, double[] variances, long reports, double beta) {
        double each = beta / values.length;
        double deviations = reports < NORMAL_FROM
                ? Math.sqrt(1 / each)
                : -new NormalDistribution().inverseCumulativeProbability(each / 2);
        return new Estimate(
                values,
                variances,
                Arrays.stream(variances)
                        .map(variance -> deviations * Math.sqrt(variance))
                        .toArray());
    }

    /** The point of the simplex that is nearest to the values: Duchi et al. 2008, figure 1. It is biased. */
    double[] onSimplex() {
        double[] descending = Arrays.stream(values).sorted().toArray();
        double sum = 0;
        double excess = 0;
        for (int taken = 1; taken <= descending.length; taken++) {
            double next = descending[descending.length - taken];
            sum += next;
            if (next > (sum - 1) / taken) {
                excess = (sum - 1) / taken;
            }
        }
        double subtracted = excess;
        return Arrays.stream(values)
                .map(value -> Math.max(0, value - subtracted))
                .toArray();
    }
}
