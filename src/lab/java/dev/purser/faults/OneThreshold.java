package dev.purser.faults;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Whether sessions that repeat one count had one noisy threshold before and after a kill.
 *
 * <p>A gap is the count plus its own noise minus the noisy threshold. All gaps of a session share the threshold, so
 * before and after a kill they are draws from one distribution: each assignment of the values to the two groups has the
 * same probability. A threshold that is drawn again shifts one group. The statistic is the square of the standardised
 * rank sum of one group (Wilcoxon's, with mean ranks for ties), added over all sessions.
 *
 * <p>The probability of a sum this large with one threshold is bounded by Chernoff's inequality, with the exact
 * distribution of each rank sum over all assignments. So the bound holds for any noise, sample size and ties.
 */
final class OneThreshold {
    /** The probability of a false alarm, at most. */
    static final double FALSE_ALARM = 1e-5;

    private static final double STEP = 0.01;

    /** One session: its statistic, and all values that it could have had, with their probabilities. */
    private record Sample(double seen, double[] squares, double[] probabilities) {}

    private final List<Sample> samples = new ArrayList<>();

    /** @param groups of gaps; only the first two are compared */
    synchronized void add(List<List<Long>> groups) {
        if (groups.size() >= 2 && groups.getFirst().size() >= 2 && groups.get(1).size() >= 2) {
            Sample sample = sample(groups.getFirst(), groups.get(1));
            if (sample != null) {
                samples.add(sample);
            }
        }
    }

    private static Sample sample(List<Long> before, List<Long> after) {
        long[] all = new long[before.size() + after.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i < before.size() ? before.get(i) : after.get(i - before.size());
        }
        long[] sorted = all.clone();
        Arrays.sort(sorted);
        int[] twiceRanks = new int[all.length];
        for (int i = 0; i < all.length; i++) {
            for (long other : sorted) {
                twiceRanks[i] += other < all[i] ? 2 : other == all[i] ? 1 : 0;
            }
        }
        int seen = Arrays.stream(twiceRanks, 0, before.size()).sum();
        double[] ways = ways(twiceRanks, before.size());
        double total = Arrays.stream(ways).sum();
        double mean = 0;
        for (int sum = 0; sum < ways.length; sum++) {
            mean += sum * ways[sum] / total;
        }
        double variance = 0;
        for (int sum = 0; sum < ways.length; sum++) {
            variance += (sum - mean) * (sum - mean) * ways[sum] / total;
        }
        if (variance == 0) {
            return null; // All values are equal.
        }
        double[] squares = new double[ways.length];
        double[] probabilities = new double[ways.length];
        for (int sum = 0; sum < ways.length; sum++) {
            squares[sum] = (sum - mean) * (sum - mean) / variance;
            probabilities[sum] = ways[sum] / total;
        }
        return new Sample(squares[seen], squares, probabilities);
    }

    /** In how many ways {@code size} of the values add up to each number. */
    private static double[] ways(int[] values, int size) {
        double[][] ways = new double[size + 1][Arrays.stream(values).sum() + 1];
        ways[0][0] = 1;
        for (int value : values) {
            for (int taken = size; taken > 0; taken--) {
                for (int sum = ways[taken].length - 1; sum >= value; sum--) {
                    ways[taken][sum] += ways[taken - 1][sum - value];
                }
            }
        }
        return ways[size];
    }

    synchronized int sessions() {
        return samples.size();
    }

    /** The sum of the statistics. With one threshold for each session, its mean is the number of sessions. */
    synchronized double sum() {
        return samples.stream().mapToDouble(Sample::seen).sum();
    }

    /** A bound on the probability of a sum this large if each session has one threshold. */
    synchronized double probability() {
        double sum = sum();
        double least = 0;
        for (double tilt = STEP; tilt < 0.5; tilt += STEP) {
            double logarithm = -tilt * sum;
            for (Sample sample : samples) {
                double moment = 0;
                for (int i = 0; i < sample.squares().length; i++) {
                    if (sample.probabilities()[i] > 0) {
                        moment += sample.probabilities()[i] * Math.exp(tilt * sample.squares()[i]);
                    }
                }
                logarithm += Math.log(moment);
            }
            least = Math.min(least, logarithm);
        }
        return Math.exp(least);
    }

    /** Adds and returns a finding if the gaps show a threshold that was drawn again. Called once, after a run. */
    Optional<String> check(Findings findings) {
        if (sessions() == 0) {
            return Optional.empty();
        }
        double probability = probability();
        findings.count("sessions compared over a kill", sessions());
        findings.count("sessions compared over a kill: sum in thousandths", Math.round(1_000 * sum()));
        if (probability > FALSE_ALARM) {
            return Optional.empty();
        }
        String what = "the gaps of %d sessions differ before and after a kill: %.1f, of which the probability is %.1e"
                .formatted(sessions(), sum(), probability);
        findings.broken("I11", what);
        return Optional.of("I11: " + what);
    }
}
