package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;

/**
 * The middle of the range plus a noisy sum of distances from the middle, divided by a noisy count. The sum gets three
 * quarters of epsilon and the count one quarter. Where the count is public, the sum gets all of epsilon.
 *
 * <p>Guarantee: epsilon-differentially private under the target's neighbouring relation and privacy unit. A row adds at
 * most half the range's width to the centred sum, so the noise does not grow with the range's distance from zero.
 * Argument in {@code CenteredMean.md}. Source: Li et al. 2016, section 2.5 (normalised average), with the sensitivity
 * corrected.
 */
public final class CenteredMean extends RatioMean {
    private static final String NAME = "centered-mean";

    public CenteredMean(Epsilon epsilon, MeanTarget target, double beta) {
        super(NAME, epsilon, beta, ratio(ExactArithmetic.of(epsilon), target));
    }

    private static NoisyRatio ratio(Rational epsilon, MeanTarget target) {
        Rational forCount = epsilon.dividedBy(Rational.of(4, 1));
        return NoisyRatio.centered(target, target.hasPublicCount() ? epsilon : epsilon.minus(forCount), forCount);
    }
}
