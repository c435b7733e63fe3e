package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The numbers of rows in the bins between public edges, each plus noise. The noise is discrete Laplace of scale Δ/ε. Δ
 * is the L1 sensitivity of the whole histogram: m where units are added or removed, 2m where they are replaced. Where
 * the allowance is a rho or has a delta, the noise is discrete Gaussian by the L2 sensitivity, m or √2·m, if it errs
 * less.
 *
 * <p>Guarantee: the allowance it is built for, for all bins together and any number of bins, under the neighbouring
 * relation and privacy unit it is built with; pure epsilon with Laplace noise. Condition: the edges are public. Edges
 * ascend, so a row is in at most one bin. Empty bins get noise like all other bins. Argument in
 * {@code NoisyHistogram.md}. Source: Dwork et al. 2006, section 4; Ghosh, Roughgarden and Sundararajan 2009; Canonne,
 * Kamath and Steinke 2020 for the discrete forms.
 */
public final class NoisyHistogram implements Refinable<NoisyHistogram.Answer> {
    private final PrivacyAllowance allowance;
    private final List<Statistic> bins;
    private final BigInteger l1Sensitivity;
    private final AdditiveNoise noise;
    private final double beta;

    /**
     * Builds a private histogram of the bins {@code [edges[i], edges[i + 1])}. Values outside all bins are not counted.
     *
     * @param table the position of the bucket table
     * @param selective whether the table's filter can leave out rows
     * @param edges two or more, strictly ascending
     */
    public NoisyHistogram(
            PrivacyAllowance allowance,
            int table,
            boolean selective,
            long[] edges,
            Neighborhood neighborhood,
            double beta) {
        this.allowance = allowance;
        this.bins = bins(table, selective, edges);
        this.l1Sensitivity = L1Sensitivity.histogram(neighborhood);
        BigInteger squaredL2Sensitivity = L1Sensitivity.squaredL2OfHistogram(neighborhood);
        this.beta = FailureProbability.checked(beta);
        this.noise = AdditiveNoise.best(PrivacyShare.of(allowance), l1Sensitivity, squaredL2Sensitivity, ofEach());
    }

    private static List<Statistic> bins(int table, boolean selective, long[] edges) {
        if (edges.length < 2) {
            throw new IllegalArgumentException("a histogram has two edges or more");
        }
        List<Statistic> bins = new ArrayList<>(edges.length - 1);
        for (int i = 1; i < edges.length; i++) {
            if (edges[i - 1] >= edges[i]) {
                throw new IllegalArgumentException("edges must be strictly ascending");
            }
            bins.add(new Statistic.Count(table, selective, edges[i - 1], edges[i]));
        }
        return List.copyOf(bins);
    }

    @Override
    public Description description() {
        return noise.describe(
                noise.description("histogram")
                        .with("bins", bins.size())
                        .withSteps("l1Sensitivity", Rational.of(l1Sensitivity)),
                "scale");
    }

    @Override
    public List<Statistic> statistics() {
        return bins;
    }

    @Override
    public PrivacyEvent event() {
        return PrivacyShare.event(allowance, noise.isPure());
    }

    /**
     * The error bound that holds for all bins together, except with probability at most beta. It comes from the exact
     * discrete tail of independent draws.
     */
    public BigInteger alphaSteps() {
        return noise.quantile(ofEach());
    }

    private double ofEach() {
        return FailureProbability.ofEach(beta, bins.size());
    }

    @Override
    public Stream<AdditiveNoise> noises() {
        return bins.stream().map(bin -> noise);
    }

    @Override
    public Answer release(Sensitive<List<Buckets>> exact, IntegerRelease release) {
        List<Buckets> tables = exact.open();
        return new Answer(
                bins.stream().map(bin -> release.noisy(bin.of(tables), noise)).toList());
    }

    /**
     * Noisy counts.
     *
     * @param counts one for each bin, in the order of the edges
     */
    public record Answer(List<BigInteger> counts) {}
}
