package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigInteger;
import java.util.List;

/**
 * One statistic plus discrete Laplace noise of scale l1Sensitivity / epsilon: a count or a clamped sum.
 *
 * <p>Guarantee: epsilon-differentially private under the neighbourhood it is built with. Condition: the statistic's bounds
 * are public. The noise is unbiased; a noisy count can be below zero. Argument in {@code LaplaceStatistic.md}. Source: Dwork
 * et al. 2006; Ghosh, Roughgarden and Sundararajan 2009 for the discrete form.
 */
public final class LaplaceStatistic implements Mechanism<LaplaceStatistic.Answer> {
    private final String name;
    private final Epsilon epsilon;
    private final Statistic statistic;
    private final BigInteger l1Sensitivity;
    private final DiscreteLaplace noise;
    private final double beta;

    private LaplaceStatistic(String name, Epsilon epsilon, Statistic statistic, BigInteger l1Sensitivity, double beta) {
        this.name = name;
        this.epsilon = epsilon;
        this.statistic = statistic;
        this.l1Sensitivity = l1Sensitivity;
        this.noise = DiscreteLaplace.calibrated(l1Sensitivity, Exact.of(epsilon));
        this.beta = FailureProbability.checked(beta);
    }

    /** A private count. */
    public static LaplaceStatistic count(
            Epsilon epsilon, Statistic.Count count, Neighborhood neighborhood, double beta) {
        return new LaplaceStatistic("laplace-count", epsilon, count, count.l1Sensitivity(neighborhood), beta);
    }

    /** A private sum of clamped values. */
    public static LaplaceStatistic sum(
            Epsilon epsilon, Statistic.ClampedSum sum, Neighborhood neighborhood, double beta) {
        return new LaplaceStatistic("laplace-sum", epsilon, sum, sum.l1Sensitivity(neighborhood), beta);
    }

    @Override
    public Description description() {
        return Description.discreteLaplace(name)
                .withSteps("l1Sensitivity", Rational.of(l1Sensitivity))
                .withSteps("scale", noise.scale());
    }

    @Override
    public List<Statistic> statistics() {
        return List.of(statistic);
    }

    @Override
    public PrivacyEvent event() {
        return new PrivacyEvent.PureDifferentialPrivacy(epsilon);
    }

    /** The bound on the error that fails with probability at most beta, in grid steps: from the exact discrete tail. */
    public BigInteger alphaSteps() {
        return noise.twoSidedQuantile(beta);
    }

    @Override
    public Answer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        return new Answer(statistic.of(exact.open()).add(noise.sample(bits)));
    }

    /**
     * A noisy integer.
     *
     * @param steps in grid steps
     */
    public record Answer(BigInteger steps) {}
}
