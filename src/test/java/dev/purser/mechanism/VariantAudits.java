package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Step;
import dev.purser.mechanism.MechanismAuditStatisticalTests.Case;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.privacy.Epsilon;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** Audits of the sparse vector's named variants: one pair and one event for each release, whatever the variant. */
final class VariantAudits {
    private static final double BETA = 0.05;

    private VariantAudits() {}

    // Replaced rows, c = 3, epsilon 1: (−2 × 5, 0 × 3) against (−1 × 5, −1 × 3); five negatives, then two positives.
    // What
    // comes after them is left open, as the adaptive variant may stop there. 400 000 draws.

    static Case indices(Variant variant) {
        List<Statistic.Count> counts = new ArrayList<>(Collections.nCopies(5, new Statistic.Count(0, false, 0, 1)));
        counts.addAll(Collections.nCopies(3, new Statistic.Count(0, false, 1, 2)));
        SparseVector mechanism = PureMechanisms.sparse(
                Epsilon.parse("1"),
                ThresholdQueries.ofCounts(counts, 6, SmallData.REPLACE_ROW),
                3,
                PureMechanisms.optimal(Release.INDICES, variant),
                BETA);
        Predicate<SparseVector.Answer> fifthAndSixth =
                answer -> answer.positives().size() >= 2
                        && answer.positives().get(0).index() == 5
                        && answer.positives().get(1).index() == 6;
        ExactTranscripts exact = ExactTranscripts.of(mechanism.description());
        return new Case(
                1,
                new Audit<>(
                        mechanism,
                        SmallData.ONE_COLUMN,
                        zerosAndOnes(4, 6),
                        zerosAndOnes(5, 5),
                        fifthAndSixth,
                        400_000),
                exact.probability(fiveAndTwo(-2, 0)),
                exact.probability(fiveAndTwo(-1, -1)));
    }

    private static List<long[]> zerosAndOnes(int zeros, int ones) {
        List<long[]> rows = new ArrayList<>(SmallData.repeated(zeros, 0));
        rows.addAll(SmallData.repeated(ones, 1));
        return rows;
    }

    private static List<Step> fiveAndTwo(long low, long high) {
        return List.of(ExactTranscripts.below(low, 5), ExactTranscripts.above(high), ExactTranscripts.above(high));
    }

    // An added row, c = 2, epsilon 2, sums over [0, 4]: (0 × 6, 5) against (4 × 6, 9); six negatives, then the last one
    // with
    // a gap, or a value, of at most 5. 300 000 draws. The six sums are of rows whose second column is 0: the added row
    // alone.

    private static final SmallData SUMS =
            new SmallData(List.of(new SmallData.View(0, row -> row[1] == 0), new SmallData.View(0, row -> true)));
    private static final long MOST = 5;

    private static SparseVector sums(Release release, Variant variant) {
        List<Statistic> sums = new ArrayList<>(Collections.nCopies(6, new Statistic.ClampedSum(0, true, 0, 4)));
        sums.add(new Statistic.ClampedSum(1, true, 0, 4));
        ThresholdQueries queries = new ThresholdQueries(
                sums, Collections.nCopies(7, BigInteger.ONE), BigInteger.ZERO, SmallData.ADD_OR_REMOVE_ROW);
        return PureMechanisms.sparse(Epsilon.parse("2"), queries, 2, PureMechanisms.optimal(release, variant), BETA);
    }

    private static Audit<SparseVector.Answer> onlyTheLast(
            SparseVector mechanism, Predicate<SparseVector.Positive> shows) {
        return new Audit<>(
                mechanism,
                SUMS,
                List.of(new long[] {4, 1}, new long[] {1, 1}),
                List.of(new long[] {4, 1}, new long[] {1, 1}, new long[] {4, 0}),
                answer -> answer.positives().size() == 1
                        && answer.positives().getFirst().index() == 6
                        && shows.test(answer.positives().getFirst()),
                300_000);
    }

    static Case gaps(Variant variant) {
        SparseVector mechanism = sums(Release.GAPS, variant);
        ExactTranscripts exact = ExactTranscripts.of(mechanism.description());
        double probability = 0;
        double neighborProbability = 0;
        for (long gap = 0; gap <= MOST; gap++) {
            probability += exact.probability(List.of(ExactTranscripts.below(0, 6), ExactTranscripts.aboveBy(5, gap)));
            neighborProbability +=
                    exact.probability(List.of(ExactTranscripts.below(4, 6), ExactTranscripts.aboveBy(9, gap)));
        }
        return new Case(
                2,
                onlyTheLast(mechanism, positive -> isAtMost(positive.gapSteps().orElseThrow())),
                probability,
                neighborProbability);
    }

    static Case values(Variant variant) {
        SparseVector mechanism = sums(Release.VALUES, variant);
        ExactTranscripts exact = ExactTranscripts.of(mechanism.description());
        DiscreteLaplacePmf value =
                new DiscreteLaplacePmf(ExactTranscripts.scale(mechanism.description(), "valueScale"));
        return new Case(
                2,
                onlyTheLast(
                        mechanism, positive -> isAtMost(positive.valueSteps().orElseThrow())),
                exact.probability(List.of(ExactTranscripts.below(0, 6), ExactTranscripts.above(5))) * value.atMost(0),
                exact.probability(List.of(ExactTranscripts.below(4, 6), ExactTranscripts.above(9))) * value.atMost(-4));
    }

    private static boolean isAtMost(BigInteger shown) {
        return shown.compareTo(BigInteger.valueOf(MOST)) <= 0;
    }
}
