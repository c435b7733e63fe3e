package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The adaptive sparse vector technique: a positive far above the threshold loses half the epsilon of a close positive.
 * Each value is first compared with a large noise and a margin. If that comparison is not positive, a second comparison
 * decides, with half the noise scale at twice the loss. A negative loses nothing. Source: Ding et al. 2019, algorithm 2
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
        // maxPositives clear positives.
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
    public BigInteger drawThreshold(RandomBits bits) {
        return thresholdNoise.sample(bits);
    }

    @Override
    public Optional<Positive> compare(BigInteger above, RandomBits bits) {
        // Both noises are drawn, whatever the first comparison shows.
        BigInteger coarse = above.add(coarseNoise.sample(bits));
        BigInteger fine = above.add(fineNoise.sample(bits));
        if (coarse.compareTo(margin) >= 0) {
            return Optional.of(new Positive(coarse, CLEAR));
        }
        return fine.signum() >= 0 ? Optional.of(new Positive(fine, CLOSE)) : Optional.empty();
    }

    @Override
    public boolean freshThresholdAfterPositive() {
        return false;
    }

    /** The result is also 0 once epsilon no longer covers a close positive. */
    @Override
    public int positivesLeft(ScanState state) {
        int covered = CLOSE * closePositives - state.spent() - (CLOSE - CLEAR);
        return Math.max(0, Math.min(ThresholdVariant.super.positivesLeft(state), covered));
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
