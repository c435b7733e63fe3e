package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyEvent;
import java.util.List;

/**
 * The middle of the range plus a noisy sum of distances from the middle, divided by a noisy count: three quarters of epsilon
 * for the sum, one for the count; where the count is public, all of it for the sum.
 *
 * <p>Guarantee: epsilon-differentially private under the target's neighbourhood. A row adds at most half the width of the
 * range to the centred sum, so its noise is small whatever the range's distance from zero. Argument in {@code
 * CenteredMean.md}. Source: Li et al. 2016, section 2.5 (normalised average), with the sensitivity put right.
 */
public final class CenteredMean implements Mechanism<MeanAnswer> {
    private final Epsilon epsilon;
    private final double beta;
    private final NoisyRatio ratio;

    public CenteredMean(Epsilon epsilon, MeanTarget target, double beta) {
        this(epsilon, beta, ratio(Exact.of(epsilon), target));
    }

    CenteredMean(Epsilon epsilon, double beta, NoisyRatio ratio) {
        this.epsilon = epsilon;
        this.beta = FailureProbability.checked(beta);
        this.ratio = ratio;
    }

    private static NoisyRatio ratio(Rational epsilon, MeanTarget target) {
        Rational forCount = epsilon.dividedBy(Rational.of(4, 1));
        return NoisyRatio.centered(target, target.hasPublicCount() ? epsilon : epsilon.minus(forCount), forCount);
    }

    @Override
    public Description description() {
        return ratio.describe(Description.discreteLaplace("centered-mean"));
    }

    @Override
    public List<Statistic> statistics() {
        return ratio.statistics();
    }

    @Override
    public PrivacyEvent event() {
        return new PrivacyEvent.PureDifferentialPrivacy(epsilon);
    }

    @Override
    public MeanAnswer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        return ratio.release(exact.open(), beta, bits);
    }
}
