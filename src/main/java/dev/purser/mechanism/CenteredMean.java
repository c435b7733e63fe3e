package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;

/**
 * The middle of the range plus a noisy sum of distances from the middle, divided by a noisy count: three quarters of epsilon
 * for the sum, one for the count; where the count is public, all of it for the sum.
 *
 * <p>Guarantee: epsilon-differentially private under the target's neighbourhood. A row adds at most half the width of the
 * range to the centred sum, so its noise is small whatever the range's distance from zero. Argument in {@code
 * CenteredMean.md}. Source: Li et al. 2016, section 2.5 (normalised average), with the sensitivity put right.
 */
public final class CenteredMean extends RatioMean {
    private static final String NAME = "centered-mean";

    public CenteredMean(Epsilon epsilon, MeanTarget target, double beta) {
        super(NAME, epsilon, beta, ratio(Exact.of(epsilon), target));
    }

    private static NoisyRatio ratio(Rational epsilon, MeanTarget target) {
        Rational forCount = epsilon.dividedBy(Rational.of(4, 1));
        return NoisyRatio.centered(target, target.hasPublicCount() ? epsilon : epsilon.minus(forCount), forCount);
    }
}
