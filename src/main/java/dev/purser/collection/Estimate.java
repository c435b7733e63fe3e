package dev.purser.collection;

import dev.purser.local.FrequencyRandomizer;
import dev.purser.local.LocalLaplace;
import dev.purser.local.SupportProbabilities;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Unbiased estimates of several quantities, with an interval for each. All intervals hold together with probability
 * {@code 1 - beta}, over the randomness of the reports, for any values of the devices. Bonferroni's inequality joins
 * the intervals.
 *
 * @param values the unbiased estimates, which may lie outside the possible range
 * @param variances upper bounds of the variances of the values
 * @param lows the lower ends of the intervals
 * @param highs the upper ends of the intervals
 */
record Estimate(double[] values, double[] variances, double[] lows, double[] highs) {
    /** The basis of the intervals of shares and of sums of noise. */
    static final String PROVEN = "by a bound that is proven for any number of reports";

    /** From this number of reports on, the error of a mean counts as normal. */
    private static final long NORMAL_FROM = 1_000;

    /** The basis of the intervals of other means. */
    static final String APPROXIMATE = "by Chebyshev's inequality where fewer than " + NORMAL_FROM
            + " reports say something of each mean, by the normal approximation from there on";

    /**
     * Estimates of means.
     *
     * @param variance an upper bound of the variance of each estimate
     * @param informative how many reports contain information about each mean, on average
     * @param beta the probability that at least one of the intervals misses
     */
    static Estimate ofMeans(double[] values, double variance, double informative, double beta) {
        return within(deviations(informative, beta / values.length) * Math.sqrt(variance), values, variance);
    }

    /** Estimates with intervals of {@code half} to either side. */
    static Estimate within(double half, double[] values, double variance) {
        double[] variances = new double[values.length];
        Arrays.fill(variances, variance);
        return new Estimate(
                values,
                variances,
                Arrays.stream(values).map(value -> value - half).toArray(),
                Arrays.stream(values).map(value -> value + half).toArray());
    }

    /**
     * The mean of values with noise. The noise does not depend on the values, so the distribution of its sum is known.
     *
     * @param sums the sum and the number of the reports of each level
     */
    static Estimate ofNoisy(List<LocalLaplace> levels, long[] sums, double beta) {
        int[] present = IntStream.range(0, levels.size())
                .filter(level -> sums[2 * level + 1] > 0)
                .toArray();
        long[] counts =
                Arrays.stream(present).mapToLong(level -> sums[2 * level + 1]).toArray();
        double[] scales = Arrays.stream(present)
                .mapToDouble(level -> levels.get(level).scale().doubleValue())
                .toArray();
        double total = 0;
        double variance = 0;
        for (int i = 0; i < present.length; i++) {
            LocalLaplace level = levels.get(present[i]);
            total += level.contributions(sums, 2 * present[i], counts[i]);
            variance += counts[i] * level.largestVariance();
        }
        long reports = LongStream.of(counts).sum();
        double half = 2 * Tails.laplace(scales, counts, beta) / Protocol.WIDTH / reports;
        return within(half, new double[] {total / reports}, variance / reports / reports);
    }

    /**
     * Estimates of the shares of categories among the devices that reported. An interval has the estimate and all
     * shares that {@link Tails} does not rule out for the count of the category.
     *
     * @param sums the sums of all reports
     */
    static Estimate ofShares(FrequencyRandomizer<?> randomizer, long[] sums, long reports, double beta) {
        double logAlpha = Math.log(beta / 2 / randomizer.categories());
        SupportProbabilities support = randomizer.support();
        // Intervals are kept by count, because many categories have the same count.
        Map<Long, double[]> intervals = new HashMap<>();
        double[][] ends = Arrays.stream(randomizer.supporters(sums, reports))
                .mapToObj(count -> intervals.computeIfAbsent(count, same -> shares(same, reports, support, logAlpha)))
                .toArray(double[][]::new);
        double[] values = randomizer.frequencies(sums, reports);
        return new Estimate(
                values,
                Arrays.stream(values)
                        .map(value -> randomizer.frequencyVariance(Math.clamp(value, 0.0, 1.0), reports))
                        .toArray(),
                IntStream.range(0, values.length)
                        .mapToDouble(i -> Math.min(ends[i][0], values[i]))
                        .toArray(),
                IntStream.range(0, values.length)
                        .mapToDouble(i -> Math.max(ends[i][1], values[i]))
                        .toArray());
    }

    private static double[] shares(long count, long reports, SupportProbabilities support, double logAlpha) {
        double least = Tails.least(count, reports, support.own(), support.other(), logAlpha);
        double greatest = Tails.greatest(count, reports, support.own(), support.other(), logAlpha);
        return new double[] {least / reports, greatest / reports};
    }

    private static double deviations(double reports, double beta) {
        return reports < NORMAL_FROM
                ? Math.sqrt(1 / beta)
                : -new NormalDistribution().inverseCumulativeProbability(beta / 2);
    }

    /** The point of the simplex that is nearest to the values (Duchi et al. 2008, figure 1). It is biased. */
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
