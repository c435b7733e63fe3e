package dev.purser.collection;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Unbiased estimates of several quantities, with an interval for each. All intervals hold together with probability
 * {@code 1 - beta}, over the randomness of the reports, whatever the devices' values are: by Chebyshev's inequality,
 * which holds for any number of reports, and where many reports say something of each quantity by the normal
 * approximation. Bonferroni's inequality joins them.
 *
 * @param values unbiased, so they may lie outside the possible range
 * @param variances of the values, at most
 * @param lows of the intervals
 * @param highs of the intervals
 */
record Estimate(double[] values, double[] variances, double[] lows, double[] highs) {
    /** From so many reports on, the error of a mean is taken as normal. */
    static final long NORMAL_FROM = 1_000;

    /**
     * Estimates of means.
     *
     * @param variance of each estimate, at most
     * @param informative how many reports say something of each of them, on average
     * @param beta the probability that one of the intervals misses
     */
    static Estimate ofMeans(double[] values, double variance, double informative, double beta) {
        double half = deviations(informative, beta / values.length) * Math.sqrt(variance);
        double[] variances = new double[values.length];
        Arrays.fill(variances, variance);
        return new Estimate(
                values,
                variances,
                Arrays.stream(values).map(value -> value - half).toArray(),
                Arrays.stream(values).map(value -> value + half).toArray());
    }

    /**
     * Estimates of shares, whose variance is a linear function of the share. An interval has the shares f that lie no
     * further from the estimate than so many standard deviations of an estimate of f.
     *
     * @param atZero the variance of the estimate of a share of 0
     * @param atOne the variance of the estimate of a share of 1
     */
    static Estimate ofShares(double[] values, double atZero, double atOne, long reports, double beta) {
        double deviations = deviations(reports, beta / values.length);
        double middle = deviations * deviations * (atOne - atZero) / 2;
        IntToDoubleFunction root = i -> deviations
                * Math.sqrt(Math.max(0, atZero + (atOne - atZero) * values[i] + middle * (atOne - atZero) / 2));
        return new Estimate(
                values,
                Arrays.stream(values)
                        .map(value -> atZero + (atOne - atZero) * Math.clamp(value, 0.0, 1.0))
                        .toArray(),
                IntStream.range(0, values.length)
                        .mapToDouble(i -> values[i] + middle - root.applyAsDouble(i))
                        .toArray(),
                IntStream.range(0, values.length)
                        .mapToDouble(i -> values[i] + middle + root.applyAsDouble(i))
                        .toArray());
    }

    private static double deviations(double reports, double beta) {
        return reports < NORMAL_FROM
                ? Math.sqrt(1 / beta)
                : -new NormalDistribution().inverseCumulativeProbability(beta / 2);
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
