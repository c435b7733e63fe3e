package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;

/**
 * A noisy sum divided by a noisy count, with half of epsilon each. Where the count is public, the sum gets all of
 * epsilon.
 *
 * <p>Guarantee: epsilon-differentially private under the target's neighbouring relation and privacy unit, by
 * composition of the two releases and post-processing. The sum's sensitivity is computed for values clamped to [lower,
 * upper]. Under add-or-remove-one it is max(|lower|, |upper|) per row, not the range's width. Argument in
 * {@code SumAndCountMean.md}.
 */
public final class SumAndCountMean extends RatioMean {
    private static final String NAME = "sum-and-count-mean";

    public SumAndCountMean(Epsilon epsilon, MeanTarget target, double beta) {
        super(NAME, epsilon, beta, ratio(ExactArithmetic.of(epsilon), target));
    }

    private static NoisyRatio ratio(Rational epsilon, MeanTarget target) {
        Rational half = epsilon.dividedBy(Rational.of(2, 1));
        return NoisyRatio.plain(target, target.hasPublicCount() ? epsilon : half, half);
    }
}
