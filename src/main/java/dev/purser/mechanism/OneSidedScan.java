package dev.purser.mechanism;

import dev.purser.noise.OneSidedGeometric;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The sparse vector technique with noise that is never below zero. The proof moves the threshold and the positives only
 * upwards, so one-sided noise of the same scales, with half the variance, suffices. A public shift of the threshold
 * balances the errors in both directions. Source: Liu et al. 2024.
 *
 * @param shift added to the threshold, of any sign, from public facts alone
 */
record OneSidedScan(
        OneSidedGeometric thresholdNoise, OneSidedGeometric comparisonNoise, int maxPositives, BigInteger shift)
        implements ThresholdVariant {
    /**
     * One noisy threshold for all positives, as {@link ThresholdVariant#single}.
     *
     * @param beta the probability with which the bound that determines the shift may fail
     */
    static OneSidedScan single(Setting setting, Rational epsilon, double beta) {
        int factor = setting.factor();
        int positives = setting.maxPositives();
        ThresholdSplit split = ThresholdSplit.optimal(epsilon, factor, positives);
        OneSidedGeometric thresholdNoise = OneSidedGeometric.calibrated(setting.l1Sensitivity(), split.threshold());
        OneSidedGeometric comparisonNoise = OneSidedGeometric.calibrated(
                setting.l1Sensitivity().multiply(BigInteger.valueOf((long) factor * positives)), split.comparisons());
        ThresholdAccuracy.OneSided bound =
                ThresholdAccuracy.oneSided(thresholdNoise, comparisonNoise, setting.queries(), beta);
        return new OneSidedScan(thresholdNoise, comparisonNoise, positives, bound.shift());
    }

    @Override
    public BigInteger drawThreshold(RandomBits bits) {
        return shift.add(thresholdNoise.sample(bits));
    }

    @Override
    public Optional<Positive> compare(BigInteger above, RandomBits bits) {
        BigInteger gap = above.add(comparisonNoise.sample(bits));
        return gap.signum() >= 0 ? Optional.of(new Positive(gap, 1)) : Optional.empty();
    }

    @Override
    public boolean freshThresholdAfterPositive() {
        return false;
    }

    @Override
    public BigInteger alphaSteps(int queries, double beta) {
        return ThresholdAccuracy.oneSided(thresholdNoise, comparisonNoise, queries, beta, shift);
    }

    @Override
    public String suffix() {
        return "-one-sided";
    }

    @Override
    public Description describe(Description description) {
        return description
                .withNoise(Description.ONE_SIDED_GEOMETRIC)
                .withSteps("thresholdScale", thresholdNoise.scale())
                .withSteps("comparisonScale", comparisonNoise.scale())
                .withSteps("thresholdShift", Rational.of(shift));
    }
}
