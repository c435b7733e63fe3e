package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Outcome;
import dev.purser.mechanism.ExactTranscripts.Step;
import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.noise.GoodnessOfFit;
import dev.purser.noise.RandomBits;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Releases have the distribution that the mechanism's stated scales give, transcript by transcript. So what
 * {@code ThresholdExactLossTests} proves of the stated scales holds of the code. There are 40,000 releases per case,
 * and 10,000 for every form in the first tier, and a chi-square test with a false alarm of 1e-6 each.
 */
class ThresholdTranscriptStatisticalTests {
    private static final int RELEASES = 40_000;
    private static final Epsilon TWO = Epsilon.parse("2");
    private static final int THRESHOLD = 5;
    private static final long[] EXACT = {4, 6, 3, 8, 5};

    private static ThresholdQueries queries(boolean monotone) {
        Neighborhood neighborhood = monotone ? SmallData.ADD_OR_REMOVE_ROW : SmallData.REPLACE_ROW;
        return ThresholdQueries.ofCounts(SmallData.countsOfEachValue(EXACT.length), THRESHOLD, neighborhood);
    }

    private static List<long[]> rows() {
        return SmallData.rowsOfEachValue(EXACT);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void ofAboveThresholdHaveTheirExactProbabilities(boolean monotone) {
        AboveThreshold mechanism =
                new AboveThreshold(Epsilon.parse("0.8"), queries(monotone), AboveThreshold.WhenNone.NONE, 0.05);
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, rows());
        RandomBits bits = new SeededBits(31);
        Map<List<Integer>, Long> seen = new HashMap<>();
        for (int i = 0; i < RELEASES; i++) {
            AboveThreshold.Answer answer = mechanism.release(exact, bits);
            // Positions, and then how many were examined.
            seen.merge(
                    answer.index().isEmpty()
                            ? List.of(EXACT.length)
                            : List.of(answer.index().getAsInt(), answer.index().getAsInt() + 1),
                    1L,
                    Long::sum);
        }
        assertFits(seen, 1, mechanism.description());
    }

    /** Every form there is: the textbook, and each variant with each release it has. */
    static Stream<Form> forms() {
        return Stream.concat(
                Stream.of(Release.values()).map(release -> new Form(release, Allocation.TEXTBOOK, Variant.AUTOMATIC)),
                PureMechanisms.variants());
    }

    @ParameterizedTest
    @MethodSource("forms")
    void ofSparseVectorHaveTheirExactProbabilities(Form form) {
        assertHaveTheirExactProbabilities(form, 10_000, 1, 4);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("forms")
    void ofSparseVectorHaveTheirExactProbabilitiesInManyReleases(Form form) {
        assertHaveTheirExactProbabilities(form, RELEASES, 1, 3, 4, 9);
    }

    private static void assertHaveTheirExactProbabilities(Form form, int releases, int... positives) {
        for (boolean monotone : new boolean[] {true, false}) {
            for (int maxPositives : positives) {
                SparseVector mechanism = PureMechanisms.sparse(TWO, queries(monotone), maxPositives, form, 0.05);
                Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, rows());
                RandomBits bits = new SeededBits(32);
                Map<List<Integer>, Long> seen = new HashMap<>();
                for (int i = 0; i < releases; i++) {
                    SparseVector.Answer answer = mechanism.release(exact, bits);
                    List<Integer> key = new ArrayList<>(answer.positives().stream()
                            .map(SparseVector.Positive::index)
                            .toList());
                    key.add(answer.examined());
                    seen.merge(key, 1L, Long::sum);
                    assertHoldsNothingElse(answer, form, maxPositives);
                }
                assertFits(seen, maxPositives, mechanism.description());
            }
        }
    }

    private static void assertHoldsNothingElse(SparseVector.Answer answer, Form form, int maxPositives) {
        List<SparseVector.Positive> positives = answer.positives();
        assertThat(positives).hasSizeLessThanOrEqualTo(maxPositives);
        if (answer.halted()) {
            assertThat(answer.examined()).isEqualTo(positives.getLast().index() + 1);
        } else {
            assertThat(answer.examined()).isEqualTo(EXACT.length);
        }
        if (positives.size() == maxPositives) {
            assertThat(answer.halted()).isTrue();
        } else if (form.variant() != Variant.ADAPTIVE) {
            assertThat(answer.halted()).isFalse();
        }
        assertThat(positives)
                .allMatch(positive -> positive.valueSteps().isPresent() == (form.release() == Release.VALUES)
                        && positive.gapSteps().isPresent() == (form.release() == Release.GAPS)
                        && positive.gapSteps().orElse(BigInteger.ZERO).signum() >= 0);
    }

    private static void assertFits(Map<List<Integer>, Long> seen, int maxPositives, Description stated) {
        Map<List<Integer>, Double> probabilities = new LinkedHashMap<>();
        Object close = stated.parameters().get("closePositives");
        add(probabilities, List.of(), ExactTranscripts.of(stated), maxPositives, close == null ? 0 : (int) close);
        assertThat(probabilities.values().stream().mapToDouble(each -> each).sum())
                .isBetween(1 - 1e-9, 1 + 1e-9);
        assertThat(probabilities).containsKeys(seen.keySet().toArray(List[]::new));
        GoodnessOfFit.assertFits(
                probabilities.keySet().stream()
                        .mapToLong(key -> seen.getOrDefault(key, 0L))
                        .toArray(),
                probabilities.values().stream().mapToDouble(each -> each).toArray());
    }

    /**
     * Adds every transcript that begins with these steps, by its positions and the number examined.
     *
     * @param closePositives how many close positives an adaptive scan can pay for; 0 for all others
     */
    private static void add(
            Map<List<Integer>, Double> probabilities,
            List<Step> begun,
            ExactTranscripts exact,
            int maxPositives,
            int closePositives) {
        List<Integer> key = new ArrayList<>();
        int spent = 0;
        for (int i = 0; i < begun.size(); i++) {
            if (begun.get(i).positive()) {
                key.add(i);
                spent += begun.get(i).outcome() == Outcome.CLOSE ? 2 : 1;
            }
        }
        boolean adaptive = closePositives > 0;
        if (key.size() == maxPositives
                || begun.size() == EXACT.length
                || (adaptive && spent + 2 > 2 * closePositives)) {
            key.add(begun.size());
            probabilities.merge(key, exact.probability(begun), Double::sum);
            return;
        }
        for (Outcome outcome : adaptive
                ? List.of(Outcome.NEGATIVE, Outcome.CLEAR, Outcome.CLOSE)
                : List.of(Outcome.NEGATIVE, Outcome.POSITIVE)) {
            List<Step> more = new ArrayList<>(begun);
            more.add(new Step(EXACT[begun.size()] - THRESHOLD, outcome, 1, ExactTranscripts.NO_GAP));
            add(probabilities, more, exact, maxPositives, closePositives);
        }
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void showGapsWithTheirExactProbabilities(Variant variant) {
        Form form = PureMechanisms.optimal(Release.GAPS, variant);
        SparseVector mechanism = PureMechanisms.sparse(TWO, queries(false), 4, form, 0.05);
        ExactTranscripts exact = ExactTranscripts.of(mechanism.description());
        // The gap of position 0; the last cell is "no positive there, or farther above".
        int cells = 60;
        double[] probabilities = new double[cells];
        double left = 1;
        for (int gap = 0; gap < cells - 1; gap++) {
            probabilities[gap] = exact.probability(List.of(ExactTranscripts.aboveBy(EXACT[0] - THRESHOLD, gap)));
            left -= probabilities[gap];
        }
        probabilities[cells - 1] = left;
        long[] observed = new long[cells];
        Sensitive<List<Buckets>> data = SmallData.ONE_COLUMN.sensitive(mechanism, rows());
        RandomBits bits = new SeededBits(34);
        for (int i = 0; i < RELEASES; i++) {
            int cell = mechanism.release(data, bits).positives().stream()
                    .filter(positive -> positive.index() == 0)
                    .mapToInt(positive -> positive.gapSteps().orElseThrow().intValueExact())
                    .findFirst()
                    .orElse(cells);
            observed[Math.min(cell, cells - 1)]++;
        }
        GoodnessOfFit.assertFits(observed, probabilities);
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIMAL, SINGLE_THRESHOLD, true",
        "OPTIMAL, SINGLE_THRESHOLD, false",
        "OPTIMAL, RESTART, false",
        "OPTIMAL, ONE_SIDED, false",
        "TEXTBOOK, AUTOMATIC, false"
    })
    void releaseValuesWhoseNoiseHasNothingToDoWithTheDecision(
            Allocation allocation, Variant variant, boolean monotone) {
        // Position 0 lies below the threshold. Whatever made it positive, the noise of its value is fresh.
        Form form = new Form(Release.VALUES, allocation, variant);
        SparseVector mechanism = PureMechanisms.sparse(TWO, queries(monotone), 2, form, 0.05);
        DiscreteLaplacePmf noise =
                new DiscreteLaplacePmf(ExactTranscripts.scale(mechanism.description(), "valueScale"));
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, rows());
        RandomBits bits = new SeededBits(33);
        long[] observed = new long[61];
        double[] probabilities = new double[61];
        for (int x = -30; x <= 30; x++) {
            probabilities[x + 30] = x == -30 ? noise.atMost(-30) : x == 30 ? noise.atLeast(30) : noise.probability(x);
        }
        int[] positions = {0, 3};
        for (int i = 0; i < RELEASES; i++) {
            for (SparseVector.Positive positive : mechanism.release(exact, bits).positives()) {
                if (positive.index() == positions[i % 2]) {
                    BigInteger value = positive.valueSteps().orElseThrow();
                    long error = value.longValueExact() - EXACT[positive.index()];
                    observed[(int) Math.clamp(error, -30, 30) + 30]++;
                }
            }
        }
        GoodnessOfFit.assertFits(observed, probabilities);
    }
}
