package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RandomBits;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The sparse vector technique with two-sided noise and one comparison of each value.
 *
 * <p>It calibrates nothing: {@link AboveThreshold} and {@link SparseVector} choose the two noises and argue for them.
 *
 * @param thresholdNoise drawn once per noisy threshold
 * @param comparisonNoise drawn once per examined value
 * @param maxPositives at least 1
 */
record ThresholdScan(
        DiscreteLaplace thresholdNoise,
        DiscreteLaplace comparisonNoise,
        int maxPositives,
        boolean freshThresholdAfterPositive)
        implements ThresholdVariant {
    ThresholdScan {
        if (maxPositives < 1) {
            throw new IllegalArgumentException("at least one positive must be permitted");
        }
    }

    @Override
    public BigInteger drawThreshold(RandomBits bits) {
        return thresholdNoise.sample(bits);
    }

    @Override
    public Optional<Positive> compare(BigInteger above, RandomBits bits) {
        BigInteger gap = above.add(comparisonNoise.sample(bits));
        // A tie is positive. It belongs to exactly one of two complementary events, so either rule is private.
        return gap.signum() >= 0 ? Optional.of(new Positive(gap, 1)) : Optional.empty();
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
