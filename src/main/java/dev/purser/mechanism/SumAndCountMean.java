package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;

/**
 * A noisy sum divided by a noisy count, half of epsilon each; where the count is public, all of epsilon goes to the sum.
 *
 * <p>Guarantee: epsilon-differentially private under the target's neighbourhood: the two releases compose to epsilon, the
 * quotient is post-processing. The sum's sensitivity is that of values clamped to [lower, upper], which under
 * add-or-remove-one is max(|lower|, |upper|) per row and not the width of the range. Argument in {@code SumAndCountMean.md}.
 */
public final class SumAndCountMean extends RatioMean {
    private static final String NAME = "sum-and-count-mean";

    public SumAndCountMean(Epsilon epsilon, MeanTarget target, double beta) {
        super(NAME, epsilon, beta, ratio(Exact.of(epsilon), target));
    }

    private static NoisyRatio ratio(Rational epsilon, MeanTarget target) {
        Rational half = epsilon.dividedBy(Rational.of(2, 1));
        return NoisyRatio.plain(target, target.hasPublicCount() ? epsilon : half, half);
    }
}
