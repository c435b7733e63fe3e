package dev.purser.mechanism;

import dev.purser.mechanism.SparseVector.Form;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import java.util.List;

/**
 * The audited mechanisms, constructed as questions construct them, all at one failure probability, which no answer
 * shows.
 */
final class ServedMechanisms {
    private static final double BETA = 0.05;
    private static final double GAUSSIAN_BETA = 0.001;
    private static final PrivacyAllowance CONCENTRATED = new PrivacyAllowance.Concentrated(Epsilon.parse("1"));

    private ServedMechanisms() {}

    static Mechanism<NoisyStatistic.Answer> count(String epsilon, Statistic.Count count, Neighborhood neighborhood) {
        return PureMechanisms.count(Epsilon.parse(epsilon), count, neighborhood, BETA);
    }

    static Mechanism<NoisyStatistic.Answer> sum(String epsilon, Statistic.ClampedSum sum, Neighborhood neighborhood) {
        return PureMechanisms.sum(Epsilon.parse(epsilon), sum, neighborhood, BETA);
    }

    static Mechanism<NoisyHistogram.Answer> histogram(
            String epsilon, int table, boolean selective, long[] edges, Neighborhood neighborhood) {
        return PureMechanisms.histogram(Epsilon.parse(epsilon), table, selective, edges, neighborhood, BETA);
    }

    /** A count with its own rho and a beta so small that the noise is Gaussian. */
    static Mechanism<NoisyStatistic.Answer> gaussianCount(Statistic.Count count, Neighborhood neighborhood) {
        return NoisyStatistic.count(CONCENTRATED, count, neighborhood, GAUSSIAN_BETA);
    }

    static Mechanism<NoisyStatistic.Answer> gaussianSum(Statistic.ClampedSum sum, Neighborhood neighborhood) {
        return NoisyStatistic.sum(CONCENTRATED, sum, neighborhood, GAUSSIAN_BETA);
    }

    static Mechanism<NoisyHistogram.Answer> gaussianHistogram(
            int table, boolean selective, long[] edges, Neighborhood neighborhood) {
        return new NoisyHistogram(CONCENTRATED, table, selective, edges, neighborhood, GAUSSIAN_BETA);
    }

    static NoisyTable table(
            String epsilon, List<Aggregate> aggregates, NoisyTable.Shape shape, Neighborhood neighborhood) {
        PrivacyAllowance allowance = new PrivacyAllowance.Pure(Epsilon.parse(epsilon));
        return new NoisyTable(allowance, aggregates, shape, neighborhood, BETA);
    }

    static NoisyTable gaussianTable(List<Aggregate> aggregates, NoisyTable.Shape shape, Neighborhood neighborhood) {
        return new NoisyTable(CONCENTRATED, aggregates, shape, neighborhood, GAUSSIAN_BETA);
    }

    static NoisySynopsis synopsis(
            String epsilon, NoisySynopsis.Plan plan, NoisySynopsis.Contents contents, Neighborhood neighborhood) {
        return new NoisySynopsis(new PrivacyAllowance.Pure(Epsilon.parse(epsilon)), plan, contents, neighborhood);
    }

    static NoisySynopsis gaussianSynopsis(
            NoisySynopsis.Plan plan, NoisySynopsis.Contents contents, Neighborhood neighborhood) {
        return new NoisySynopsis(CONCENTRATED, plan, contents, neighborhood);
    }

    static Mechanism<SparseVector.Answer> sparse(
            Form form, String epsilon, ThresholdQueries queries, int maxPositives) {
        return PureMechanisms.sparse(Epsilon.parse(epsilon), queries, maxPositives, form, BETA);
    }

    static Mechanism<AboveThreshold.Answer> aboveThreshold(String epsilon, ThresholdQueries queries) {
        return new AboveThreshold(Epsilon.parse(epsilon), queries, AboveThreshold.WhenNone.NONE, BETA);
    }

    static NoisyMaxQuantile quantile(
            String epsilon, QuantilePoints points, Rational probability, Neighborhood neighborhood) {
        return new NoisyMaxQuantile(Epsilon.parse(epsilon), points, List.of(probability), neighborhood, BETA);
    }

    static Mechanism<MeanAnswer> sumAndCountMean(String epsilon, MeanTarget target) {
        return new SumAndCountMean(Epsilon.parse(epsilon), target, BETA);
    }

    static Mechanism<MeanAnswer> centeredMean(String epsilon, MeanTarget target) {
        return new CenteredMean(Epsilon.parse(epsilon), target, BETA);
    }

    static TwoSidedMean twoSidedMean(String epsilon, MeanTarget target) {
        return new TwoSidedMean(new PrivacyAllowance.Pure(Epsilon.parse(epsilon)), target, BETA);
    }

    static TwoSidedMean gaussianTwoSidedMean(MeanTarget target) {
        return new TwoSidedMean(CONCENTRATED, target, GAUSSIAN_BETA);
    }

    static Mechanism<MeanAnswer> knownCountMean(String epsilon, MeanTarget target) {
        return new KnownCountMean(Epsilon.parse(epsilon), target, BETA);
    }

    static Mechanism<MeanAnswer> localMean(String epsilon, LocalMean.Protocol protocol, MeanTarget target) {
        return new LocalMean(Epsilon.parse(epsilon), protocol, target, BETA);
    }

    static Mechanism<MeanAnswer> autoClipMean(String epsilon, MeanTarget target) {
        return new AutoClipMean(Epsilon.parse(epsilon), target, BETA);
    }
}
