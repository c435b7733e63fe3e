package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The adaptive sparse vector technique: a positive far above the threshold loses half the epsilon of a close one. Each
 * value is first compared with a large noise and a margin. If that comparison is not positive, a second one decides,
 * with half the noise scale at twice the loss. A negative loses nothing. Source: Ding et al. 2019, algorithm 2
 * (adaptive sparse vector with gap).
 *
 * @param coarseNoise the noise of the first comparison
 * @param fineNoise the noise of the second comparison, at half the scale
 * @param margin the distance above the noisy threshold that the first comparison requires
 * @param closePositives how many positives epsilon covers if each takes the second comparison
 */
record AdaptiveScan(
        DiscreteLaplace thresholdNoise,
        DiscreteLaplace coarseNoise,
        DiscreteLaplace fineNoise,
        BigInteger margin,
        int maxPositives,
        int closePositives)
        implements ThresholdVariant {
    /** Losses, in halves of the loss of a close positive. */
    private static final int CLEAR = 1;

    private static final int CLOSE = 2;

    /** The variant for a share of pure privacy. */
    static AdaptiveScan of(Setting setting, Rational epsilon) {
        int factor = setting.factor();
        // The loss of one close positive is always kept in reserve, so this number of close positives permits
        // maxPositives clear ones.
        int close = setting.maxPositives() / 2 + 1;
        ThresholdSplit split = ThresholdSplit.optimal(epsilon, factor, close);
        DiscreteLaplace fine = split.comparisonNoise(setting.l1Sensitivity(), factor, close);
        DiscreteLaplace coarse = split.comparisonNoise(setting.l1Sensitivity(), factor, 2 * close);
        // Twice the standard deviation √2·b of the first comparison's noise.
        BigInteger margin =
                coarse.scale().times(Rational.of(2_828_428, 1_000_000)).ceiling();
        return new AdaptiveScan(
                split.thresholdNoise(setting.l1Sensitivity()), coarse, fine, margin, setting.maxPositives(), close);
    }

    @Override
    public ThresholdScan.Outcome run(List<BigInteger> exact, BigInteger threshold, RandomBits bits) {
        List<ThresholdScan.Found> positives = new ArrayList<>();
        BigInteger noisyThreshold = threshold.add(thresholdNoise.sample(bits));
        int spent = 0;
        for (int i = 0; i < exact.size(); i++) {
            BigInteger aboveThreshold = exact.get(i).subtract(noisyThreshold);
            // Both noises are drawn, whatever the first comparison shows.
            BigInteger coarse = aboveThreshold.add(coarseNoise.sample(bits));
            BigInteger fine = aboveThreshold.add(fineNoise.sample(bits));
            if (coarse.compareTo(margin) >= 0) {
                positives.add(new ThresholdScan.Found(i, coarse));
                spent += CLEAR;
            } else if (fine.signum() >= 0) {
                positives.add(new ThresholdScan.Found(i, fine));
                spent += CLOSE;
            }
            if (positives.size() == maxPositives || spent + CLOSE > CLOSE * closePositives) {
                return new ThresholdScan.Outcome(positives, i + 1, true);
            }
        }
        return new ThresholdScan.Outcome(positives, exact.size(), false);
    }

    @Override
    public BigInteger alphaSteps(int queries, double beta) {
        return ThresholdAccuracy.adaptive(this, queries, beta);
    }

    @Override
    public String suffix() {
        return "-adaptive";
    }

    @Override
    public Description describe(Description description) {
        return description
                .with("closePositives", closePositives)
                .withSteps("thresholdScale", thresholdNoise.scale())
                .withSteps("coarseScale", coarseNoise.scale())
                .withSteps("comparisonScale", fineNoise.scale())
                .withSteps("margin", Rational.of(margin));
    }
}
