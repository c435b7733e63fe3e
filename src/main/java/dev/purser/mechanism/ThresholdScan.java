package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RandomBits;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The comparison loop of the sparse vector technique. It examines exact values in order, adds fresh noise to each,
 * compares it with a noisy threshold, and stops at the last permitted positive. It returns only positions and each
 * positive's distance above the noisy threshold. It never returns that threshold or a noisy value that was compared:
 * such a value would show where the threshold was, and the loss would grow with every earlier negative, without bound.
 *
 * <p>It calibrates nothing: {@link AboveThreshold} and {@link SparseVector} choose the two noises and argue for them.
 *
 * @param thresholdNoise drawn once per noisy threshold
 * @param comparisonNoise drawn once per examined value
 * @param maxPositives at least 1
 * @param freshThresholdAfterPositive whether a new noisy threshold is drawn after each positive
 */
record ThresholdScan(
        DiscreteLaplace thresholdNoise,
        DiscreteLaplace comparisonNoise,
        int maxPositives,
        boolean freshThresholdAfterPositive)
        implements ThresholdVariant {
    ThresholdScan {
        // A limit of zero is never reached after a positive, so the number of positives would be unlimited.
        if (maxPositives < 1) {
            throw new IllegalArgumentException("at least one positive must be permitted");
        }
    }

    /**
     * One value called positive.
     *
     * @param gap the noisy value minus the noisy threshold, at least zero
     */
    record Found(int index, BigInteger gap) {}

    /**
     * The outcome of a scan.
     *
     * @param positives by ascending position
     * @param examined the number of examined values
     * @param halted whether the last permitted positive, or the last one that epsilon covers, ended the scan
     */
    record Outcome(List<Found> positives, int examined, boolean halted) {}

    @Override
    public Outcome run(List<BigInteger> exact, BigInteger threshold, RandomBits bits) {
        return run(
                exact,
                threshold,
                thresholdNoise::sample,
                comparisonNoise::sample,
                maxPositives,
                freshThresholdAfterPositive,
                bits);
    }

    static Outcome run(
            List<BigInteger> exact,
            BigInteger threshold,
            Function<RandomBits, BigInteger> thresholdNoise,
            Function<RandomBits, BigInteger> comparisonNoise,
            int maxPositives,
            boolean freshThresholdAfterPositive,
            RandomBits bits) {
        List<Found> positives = new ArrayList<>();
        BigInteger noisyThreshold = threshold.add(thresholdNoise.apply(bits));
        for (int i = 0; i < exact.size(); i++) {
            // A tie is positive. It belongs to exactly one of two complementary events, so either rule is private.
            BigInteger gap = exact.get(i).add(comparisonNoise.apply(bits)).subtract(noisyThreshold);
            if (gap.signum() < 0) {
                continue;
            }
            positives.add(new Found(i, gap));
            if (positives.size() == maxPositives) {
                return new Outcome(positives, i + 1, true);
            }
            if (freshThresholdAfterPositive) {
                noisyThreshold = threshold.add(thresholdNoise.apply(bits));
            }
        }
        return new Outcome(positives, exact.size(), false);
    }

    @Override
    public BigInteger alphaSteps(int queries, double beta) {
        int thresholds = freshThresholdAfterPositive ? maxPositives : 1;
        return ThresholdAccuracy.alphaSteps(thresholdNoise, thresholds, comparisonNoise, queries, beta);
    }

    @Override
    public String suffix() {
        return freshThresholdAfterPositive && maxPositives > 1 ? "-restart" : "";
    }

    @Override
    public Description describe(Description description) {
        return description
                .withSteps("thresholdScale", thresholdNoise.scale())
                .withSteps("comparisonScale", comparisonNoise.scale());
    }
}
