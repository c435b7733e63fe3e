package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;

/**
 * A count or a clamped sum plus noise. The noise is discrete Laplace of scale Δ/epsilon. Where the allowance is a rho
 * or has a delta, it is discrete Gaussian of variance Δ²/(2·rho), if that errs less at the stated beta.
 *
 * <p>Guarantee: the allowance it is built for, under the neighbouring relation and privacy unit it is built with; pure
 * epsilon with Laplace noise. Condition: the statistic's bounds are public. The noise is unbiased. A noisy count can be
 * below zero. Argument in {@code NoisyStatistic.md}. Source: Dwork et al. 2006; Ghosh, Roughgarden and Sundararajan
 * 2009; Canonne, Kamath and Steinke 2020.
 */
public final class NoisyStatistic implements Refinable<NoisyStatistic.Answer> {
    private final String kind;
    private final PrivacyAllowance allowance;
    private final Statistic statistic;
    private final BigInteger l1Sensitivity;
    private final AdditiveNoise noise;
    private final double beta;

    NoisyStatistic(
            String kind, PrivacyAllowance allowance, Statistic statistic, BigInteger l1Sensitivity, double beta) {
        this.kind = kind;
        this.allowance = allowance;
        this.statistic = statistic;
        this.l1Sensitivity = l1Sensitivity;
        this.beta = FailureProbability.checked(beta);
        // A single number has the same sensitivity in every norm.
        this.noise = AdditiveNoise.best(PrivacyShare.of(allowance), l1Sensitivity, l1Sensitivity.pow(2), beta);
    }

    /** A private count of rows or units. */
    public static NoisyStatistic count(
            PrivacyAllowance allowance, Statistic.Counting count, Neighborhood neighborhood, double beta) {
        return new NoisyStatistic("count", allowance, count, count.l1Sensitivity(neighborhood), beta);
    }

    /** A private sum of clamped values. */
    public static NoisyStatistic sum(
            PrivacyAllowance allowance, Statistic.ClampedSum sum, Neighborhood neighborhood, double beta) {
        return new NoisyStatistic("sum", allowance, sum, sum.l1Sensitivity(neighborhood), beta);
    }

    @Override
    public Description description() {
        return noise.describe(noise.description(kind).withSteps("l1Sensitivity", Rational.of(l1Sensitivity)), "scale");
    }

    @Override
    public List<Statistic> statistics() {
        return List.of(statistic);
    }

    @Override
    public PrivacyEvent event() {
        return PrivacyShare.event(allowance, noise.isPure());
    }

    /** The error bound that fails with probability at most beta, in grid steps, from the exact discrete tail. */
    public BigInteger alphaSteps() {
        return noise.quantile(beta);
    }

    @Override
    public Stream<AdditiveNoise> noises() {
        return Stream.of(noise);
    }

    @Override
    public Answer release(Sensitive<List<Buckets>> exact, IntegerRelease release) {
        return new Answer(release.noisy(statistic.of(exact.open()), noise));
    }

    /**
     * A noisy integer.
     *
     * @param steps in grid steps
     */
    public record Answer(BigInteger steps) {}
}
