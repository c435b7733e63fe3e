package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Step;
import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Audits of the sparse vector technique. A unit has m rows. Exact values are written as their distance above the
 * threshold, in units of m: (−1 × 10, 1) is ten values m below it and then one value m above it.
 */
final class ThresholdAudits {
    private ThresholdAudits() {}

    /**
     * Counts of rows of 0, then counts of rows of 1. A unit of rows of 0 is added, or replaces one of rows of 1: then
     * all counts of 0 rise while all counts of 1 fall, the worst that can happen to a general list.
     *
     * @param zeros how many counts of rows of 0, all of which the transcript calls negative
     * @param ones how many counts of rows of 1, all of which the transcript calls positive
     * @param low how far the counts of 0 are above the threshold
     * @param high how far the counts of 1 are above the threshold
     */
    record Counts(Neighborhood neighborhood, int zeros, int ones, int low, int high) {
        static final int THRESHOLD = 10;

        int m() {
            return neighborhood.unit().maxRows();
        }

        /** By how much the counts of 1 fall. */
        private int fall() {
            return switch (neighborhood.relation()) {
                case ADD_OR_REMOVE_ONE -> 0;
                case REPLACE_ONE -> 1;
            };
        }

        ThresholdQueries queries() {
            return queries(0);
        }

        /** @param shift how far the mechanism itself raises the threshold, which is lowered by as much here */
        ThresholdQueries queries(long shift) {
            List<Statistic.Count> counts =
                    new ArrayList<>(Collections.nCopies(zeros, new Statistic.Count(0, false, 0, 1)));
            counts.addAll(Collections.nCopies(ones, new Statistic.Count(0, false, 1, 2)));
            return ThresholdQueries.ofCounts(counts, (long) THRESHOLD * m() - shift, neighborhood);
        }

        Pair pair() {
            List<long[]> others = new ArrayList<>(SmallData.repeated((THRESHOLD + low) * m(), 0));
            others.addAll(SmallData.repeated((THRESHOLD + high - fall()) * m(), 1));
            return Pair.of(neighborhood, others, new long[] {1}, new long[] {0});
        }

        AuditCase.Probabilities probabilities(Description stated) {
            ExactTranscripts exact = ExactTranscripts.of(stated);
            long shift = shiftOf(stated);
            return new AuditCase.Probabilities(
                    exact.probability(transcript(low, high, shift)),
                    exact.probability(transcript(low + 1, high - fall(), shift)));
        }

        private List<Step> transcript(int lowExcess, int highExcess, long shift) {
            List<Step> steps = new ArrayList<>(List.of(ExactTranscripts.below((long) lowExcess * m() + shift, zeros)));
            steps.addAll(Collections.nCopies(ones, ExactTranscripts.above((long) highExcess * m() + shift)));
            return steps;
        }
    }

    /** Ten negatives, then a positive, epsilon 1. */
    private static AuditCase elevenCounts(Neighborhood neighborhood, int low, int high) {
        Counts counts = new Counts(neighborhood, 10, 1, low, high);
        Mechanism<AboveThreshold.Answer> mechanism = ServedMechanisms.aboveThreshold("1", counts.queries());
        return new AuditCase(
                new Audit<>(
                        mechanism,
                        SmallData.ONE_COLUMN,
                        counts.pair(),
                        answer -> answer.index().orElse(-1) == 10),
                () -> counts.probabilities(mechanism.description()));
    }

    /** (−1 × 10, 1) against (0 × 10, 0). */
    static AuditCase aboveThreshold(Neighborhood neighborhood) {
        return elevenCounts(neighborhood, -1, 1);
    }

    /** (−1 × 10, 0) against (0 × 10, −1). */
    static AuditCase aboveThresholdFalling() {
        return elevenCounts(SmallData.REPLACE_ROW, -1, 0);
    }

    /** (0 × 10, 1) against (1 × 10, 0). */
    static AuditCase aboveThresholdRising() {
        return elevenCounts(SmallData.REPLACE_ROW, 0, 1);
    }

    private static AuditCase sparseCounts(Counts counts, String epsilon, Allocation allocation) {
        Mechanism<SparseVector.Answer> mechanism = ServedMechanisms.sparse(
                new Form(Release.INDICES, allocation, Variant.AUTOMATIC), epsilon, counts.queries(), counts.ones());
        return new AuditCase(
                new Audit<>(
                        mechanism,
                        SmallData.ONE_COLUMN,
                        counts.pair(),
                        answer ->
                                answer.halted() && answer.positives().getFirst().index() == counts.zeros()),
                () -> counts.probabilities(mechanism.description()));
    }

    /** c = 3, epsilon 2: (−2 × 5, 0 × 3) against (−1 × 5, −1 × 3), five negatives and then three positives. */
    static AuditCase sparse(Neighborhood neighborhood) {
        return sparseCounts(new Counts(neighborhood, 5, 3, -2, 0), "2", Allocation.OPTIMAL);
    }

    /** The same at epsilon 4: the textbook's noise is so large that a smaller epsilon shows nothing. */
    static AuditCase sparseTextbook(Neighborhood neighborhood) {
        return sparseCounts(new Counts(neighborhood, 5, 3, -2, 0), "4", Allocation.TEXTBOOK);
    }

    /** c = 3, epsilon 1: (−2 × 10, 0 × 3) against (−1 × 10, −1 × 3). */
    static AuditCase sparseAfterTen() {
        return sparseCounts(new Counts(SmallData.REPLACE_ROW, 10, 3, -2, 0), "1", Allocation.OPTIMAL);
    }

    /** c = 1, epsilon 1, the noises that Dwork and Roth give: (−1 × 10, 0) against (0 × 10, −1). */
    static AuditCase sparseTextbookOfOne() {
        return sparseCounts(new Counts(SmallData.REPLACE_ROW, 10, 1, -1, 0), "1", Allocation.TEXTBOOK);
    }

    /**
     * A named variant, c = 3: (−2 × 5, 0 × 3) against (−1 × 5, −1 × 3), five negatives and then two positives. The
     * event leaves open what comes after them, because the adaptive variant may stop there. Restarts have so large a
     * noise that an epsilon below 4 shows nothing.
     */
    static AuditCase indices(Neighborhood neighborhood, Variant variant) {
        Counts counts = new Counts(neighborhood, 5, 3, -2, 0);
        LongFunction<Mechanism<SparseVector.Answer>> lowered = shift -> ServedMechanisms.sparse(
                PureMechanisms.optimal(Release.INDICES, variant),
                variant == Variant.RESTART ? "4" : "1",
                counts.queries(shift),
                3);
        Mechanism<SparseVector.Answer> mechanism =
                lowered.apply(shiftOf(lowered.apply(0).description()));
        return new AuditCase(
                new Audit<>(
                        mechanism,
                        SmallData.ONE_COLUMN,
                        counts.pair(),
                        answer -> answer.positives().size() >= 2
                                && answer.positives().get(0).index() == 5
                                && answer.positives().get(1).index() == 6),
                () -> new Counts(neighborhood, 5, 2, -2, 0).probabilities(mechanism.description()));
    }

    // Sums over [0, 4] at epsilon 2, to tell quarters of the sensitivity apart: (0 × 6, 1.25) against (1 × 6, 2.25),
    // six negatives and then a positive. Six sums are of rows whose second column is 0: the unit's rows.

    static final SmallData SUMS =
            new SmallData(List.of(new SmallData.View(0, row -> row[1] == 0), new SmallData.View(0, row -> true)));

    /** How far the mechanism raises the threshold, from public facts. */
    static long shiftOf(Description stated) {
        return stated.parameters().containsKey("thresholdShift")
                ? Math.round(ExactTranscripts.scale(stated, "thresholdShift"))
                : 0;
    }

    private static ThresholdQueries sixSumsAndOne(Neighborhood neighborhood, long shift) {
        List<Statistic> sums = new ArrayList<>(Collections.nCopies(6, new Statistic.ClampedSum(0, true, 0, 4)));
        sums.add(new Statistic.ClampedSum(1, true, 0, 4));
        return new ThresholdQueries(
                sums, Collections.nCopies(7, BigInteger.ONE), BigInteger.valueOf(-shift), neighborhood);
    }

    private static AuditCase sixSumsAndOne(Neighborhood neighborhood, Release release, Allocation allocation) {
        return sixSumsAndOne(neighborhood, new Form(release, allocation, Variant.AUTOMATIC), "2", 1);
    }

    private static AuditCase sixSumsAndOne(Neighborhood neighborhood, Form form, String epsilon, int maxPositives) {
        int m = neighborhood.unit().maxRows();
        BigInteger most = BigInteger.valueOf(5L * m);
        Predicate<SparseVector.Positive> isLow = positive ->
                positive.valueSteps().or(positive::gapSteps).orElseThrow().compareTo(most) <= 0;
        LongFunction<Mechanism<SparseVector.Answer>> lowered =
                shift -> ServedMechanisms.sparse(form, epsilon, sixSumsAndOne(neighborhood, shift), maxPositives);
        Mechanism<SparseVector.Answer> mechanism =
                lowered.apply(shiftOf(lowered.apply(0).description()));
        List<long[]> others = new ArrayList<>(Collections.nCopies(m, new long[] {4, 1}));
        others.addAll(Collections.nCopies(m, new long[] {1, 1}));
        return new AuditCase(
                new Audit<>(
                        mechanism,
                        SUMS,
                        Pair.of(neighborhood, others, new long[] {0, 0}, new long[] {4, 0}),
                        answer -> answer.positives().size() == 1
                                && answer.positives().getFirst().index() == 6
                                && isLow.test(answer.positives().getFirst())),
                () -> new AuditCase.Probabilities(
                        lastIsLow(mechanism.description(), m, 0), lastIsLow(mechanism.description(), m, 4L * m)));
    }

    static double lastIsLow(Description stated, int m, long moved) {
        ExactTranscripts exact = ExactTranscripts.of(stated);
        long shift = shiftOf(stated);
        Step six = ExactTranscripts.below(moved + shift, 6);
        long last = 5L * m + moved + shift;
        if (stated.parameters().containsKey("valueScale")) {
            DiscreteLaplacePmf value = new DiscreteLaplacePmf(ExactTranscripts.scale(stated, "valueScale"));
            return exact.probability(List.of(six, ExactTranscripts.above(last))) * value.atMost(-moved);
        }
        double probability = 0;
        for (long gap = 0; gap <= 5L * m; gap++) {
            probability += exact.probability(List.of(six, ExactTranscripts.aboveBy(last, gap)));
        }
        return probability;
    }

    /** The same for a named variant at epsilon 4 that permits two positives: with one, nothing would restart. */
    static AuditCase values(Neighborhood neighborhood, Variant variant) {
        return sixSumsAndOne(neighborhood, PureMechanisms.optimal(Release.VALUES, variant), "4", 2);
    }

    /** As {@link #values}, with the gap in place of the value. */
    static AuditCase gaps(Neighborhood neighborhood, Variant variant) {
        return sixSumsAndOne(neighborhood, PureMechanisms.optimal(Release.GAPS, variant), "4", 2);
    }

    /** The last sum's value is released as at most 1.25. */
    static AuditCase numericSparse(Neighborhood neighborhood) {
        return sixSumsAndOne(neighborhood, Release.VALUES, Allocation.OPTIMAL);
    }

    static AuditCase numericSparseTextbook(Neighborhood neighborhood) {
        return sixSumsAndOne(neighborhood, Release.VALUES, Allocation.TEXTBOOK);
    }

    /** The last sum's gap above the noisy threshold is released as at most 1.25. */
    static AuditCase sparseGaps(Neighborhood neighborhood) {
        return sixSumsAndOne(neighborhood, Release.GAPS, Allocation.OPTIMAL);
    }

    static AuditCase sparseGapsTextbook(Neighborhood neighborhood) {
        return sixSumsAndOne(neighborhood, Release.GAPS, Allocation.TEXTBOOK);
    }

    /**
     * 60 sums that an added row moves alternate with 60 that it does not move. All are far below the threshold. The
     * event is that gaps are released for all sums, and that the gaps of the first kind add up to no more than the gaps
     * of the second. There should be no gap at all.
     */
    static AuditCase gapsOfNegatives() {
        List<Statistic> sums = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            sums.add(new Statistic.ClampedSum(0, true, 0, 4));
            sums.add(new Statistic.ClampedSum(1, true, 0, 4));
        }
        ThresholdQueries queries = new ThresholdQueries(
                sums, Collections.nCopies(120, BigInteger.ONE), BigInteger.valueOf(1_000), SmallData.ADD_OR_REMOVE_ROW);
        SmallData data = new SmallData(
                List.of(new SmallData.View(0, row -> row[1] == 0), new SmallData.View(0, row -> row[1] == 1)));
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.sparse(
                                new Form(Release.GAPS, Allocation.TEXTBOOK, Variant.AUTOMATIC), "2", queries, 1),
                        data,
                        Pair.of(SmallData.ADD_OR_REMOVE_ROW, List.of(), new long[0], new long[] {4, 0}),
                        answer -> answer.positives().size() == 120 && firstKindIsSmaller(answer.positives())),
                () -> new AuditCase.Probabilities(0, 0));
    }

    private static boolean firstKindIsSmaller(List<SparseVector.Positive> positives) {
        BigInteger difference = BigInteger.ZERO;
        for (SparseVector.Positive positive : positives) {
            BigInteger gap = positive.gapSteps().orElseThrow();
            difference = positive.index() % 2 == 0 ? difference.add(gap) : difference.subtract(gap);
        }
        return difference.signum() <= 0;
    }
}
