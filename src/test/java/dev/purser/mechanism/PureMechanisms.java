package dev.purser.mechanism;

import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import java.util.stream.Stream;

/** Mechanisms for an allowance of pure epsilon, which most tests use. */
final class PureMechanisms {
    private PureMechanisms() {}

    static NoisyStatistic count(Epsilon epsilon, Statistic.Count count, Neighborhood neighborhood, double beta) {
        return NoisyStatistic.count(new PrivacyAllowance.Pure(epsilon), count, neighborhood, beta);
    }

    static NoisyStatistic sum(Epsilon epsilon, Statistic.ClampedSum sum, Neighborhood neighborhood, double beta) {
        return NoisyStatistic.sum(new PrivacyAllowance.Pure(epsilon), sum, neighborhood, beta);
    }

    static NoisyHistogram histogram(
            Epsilon epsilon, int table, boolean selective, long[] edges, Neighborhood neighborhood, double beta) {
        return new NoisyHistogram(new PrivacyAllowance.Pure(epsilon), table, selective, edges, neighborhood, beta);
    }

    static SparseVector indices(
            Epsilon epsilon, ThresholdQueries queries, int maxPositives, Allocation allocation, double beta) {
        return sparse(Release.INDICES, epsilon, queries, maxPositives, allocation, beta);
    }

    static SparseVector gaps(
            Epsilon epsilon, ThresholdQueries queries, int maxPositives, Allocation allocation, double beta) {
        return sparse(Release.GAPS, epsilon, queries, maxPositives, allocation, beta);
    }

    static SparseVector values(
            Epsilon epsilon, ThresholdQueries queries, int maxPositives, Allocation allocation, double beta) {
        return sparse(Release.VALUES, epsilon, queries, maxPositives, allocation, beta);
    }

    static SparseVector sparse(
            Release release,
            Epsilon epsilon,
            ThresholdQueries queries,
            int maxPositives,
            Allocation allocation,
            double beta) {
        return sparse(epsilon, queries, maxPositives, new Form(release, allocation, Variant.AUTOMATIC), beta);
    }

    static SparseVector sparse(Epsilon epsilon, ThresholdQueries queries, int maxPositives, Form form, double beta) {
        return new SparseVector(new PrivacyAllowance.Pure(epsilon), queries, maxPositives, form, beta);
    }

    /** A variant with the optimal allocation. */
    static Form optimal(Release release, Variant variant) {
        return new Form(release, Allocation.OPTIMAL, variant);
    }

    /** Every variant with each release it has. */
    static Stream<Form> variants() {
        return Stream.of(Release.values())
                .flatMap(release -> Stream.of(Variant.values())
                        .filter(variant -> release != Release.VALUES || variant != Variant.ADAPTIVE)
                        .map(variant -> optimal(release, variant)));
    }
}
