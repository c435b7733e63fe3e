package dev.purser.mechanism;

import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import java.util.List;

/** The mechanisms that audits look at, made as a question makes them: all at one failure probability, which no answer shows. */
final class ServedMechanisms {
    private static final double BETA = 0.05;

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

    static Mechanism<SparseVector.Answer> sparse(
            Release release, String epsilon, ThresholdQueries queries, int maxPositives, Allocation allocation) {
        return PureMechanisms.sparse(release, Epsilon.parse(epsilon), queries, maxPositives, allocation, BETA);
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

    static Mechanism<MeanAnswer> knownCountMean(String epsilon, MeanTarget target) {
        return new KnownCountMean(Epsilon.parse(epsilon), target, BETA);
    }

    static Mechanism<MeanAnswer> autoClipMean(String epsilon, MeanTarget target) {
        return new AutoClipMean(Epsilon.parse(epsilon), target, BETA);
    }
}
