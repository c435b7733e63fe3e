package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Step;
import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.noise.GoodnessOfFit;
import dev.purser.noise.RandomBits;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Releases have the distribution that the mechanism's stated scales give, transcript by transcript: what
 * {@code ThresholdExactLossTests} proves of the statement holds of the code. 40 000 releases per case and a chi-square test
 * with a false alarm of 1e-6 each.
 */
class ThresholdTranscriptStatisticalTests {
    private static final int RELEASES = 40_000;
    private static final int THRESHOLD = 5;
    private static final long[] EXACT = {4, 6, 3, 8, 5};

    private static ThresholdQueries queries(boolean monotone) {
        Neighborhood neighborhood = monotone ? SmallData.ADD_OR_REMOVE_ROW : SmallData.REPLACE_ROW;
        List<Statistic.Count> counts = new ArrayList<>();
        for (int i = 0; i < EXACT.length; i++) {
            counts.add(new Statistic.Count(0, false, i, i + 1));
        }
        return ThresholdQueries.ofCounts(counts, THRESHOLD, neighborhood);
    }

    private static List<long[]> rows() {
        List<long[]> rows = new ArrayList<>();
        for (int i = 0; i < EXACT.length; i++) {
            rows.addAll(SmallData.repeated((int) EXACT[i], i));
        }
        return rows;
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
            seen.merge(
                    answer.index().isEmpty()
                            ? List.of()
                            : List.of(answer.index().getAsInt()),
                    1L,
                    Long::sum);
        }
        assertFits(seen, 1, mechanism.description());
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIMAL, true, 1",
        "OPTIMAL, false, 1",
        "OPTIMAL, true, 3",
        "OPTIMAL, false, 3",
        "TEXTBOOK, true, 1",
        "TEXTBOOK, false, 3",
        "TEXTBOOK, true, 3",
        "OPTIMAL, true, 9",
        "TEXTBOOK, false, 9"
    })
    void ofSparseVectorHaveTheirExactProbabilities(Allocation allocation, boolean monotone, int maxPositives) {
        Epsilon epsilon = Epsilon.parse("2");
        for (boolean withValues : new boolean[] {false, true}) {
            SparseVector mechanism = withValues
                    ? PureMechanisms.values(epsilon, queries(monotone), maxPositives, allocation, 0.05)
                    : PureMechanisms.indices(epsilon, queries(monotone), maxPositives, allocation, 0.05);
            Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, rows());
            RandomBits bits = new SeededBits(32);
            Map<List<Integer>, Long> seen = new HashMap<>();
            for (int i = 0; i < RELEASES; i++) {
                SparseVector.Answer answer = mechanism.release(exact, bits);
                List<Integer> positions = answer.positives().stream()
                        .map(SparseVector.Positive::index)
                        .toList();
                seen.merge(positions, 1L, Long::sum);
                assertThat(answer.halted()).isEqualTo(positions.size() == maxPositives);
                assertThat(answer.examined()).isEqualTo(answer.halted() ? positions.getLast() + 1 : EXACT.length);
                assertThat(answer.positives())
                        .allMatch(positive -> positive.valueSteps().isPresent() == withValues);
            }
            assertFits(seen, maxPositives, mechanism.description());
        }
    }

    private static void assertFits(Map<List<Integer>, Long> seen, int maxPositives, Description stated) {
        ExactTranscripts exact = ExactTranscripts.of(stated);
        List<Double> probabilities = new ArrayList<>();
        List<Long> counts = new ArrayList<>();
        double total = 0;
        for (int code = 0; code < 1 << EXACT.length; code++) {
            List<Step> transcript = new ArrayList<>();
            List<Integer> positions = new ArrayList<>();
            for (int i = 0; i < EXACT.length && positions.size() < maxPositives; i++) {
                boolean positive = (code >> i & 1) == 1;
                transcript.add(new Step(EXACT[i] - THRESHOLD, positive, 1));
                if (positive) {
                    positions.add(i);
                }
            }
            if (Integer.bitCount(code) == positions.size()) {
                double probability = exact.probability(transcript);
                total += probability;
                probabilities.add(probability);
                counts.add(seen.getOrDefault(positions, 0L));
            }
        }
        assertThat(total).isBetween(1 - 1e-9, 1 + 1e-9);
        assertThat(counts.stream().mapToLong(count -> count).sum()).isEqualTo(RELEASES);
        assertThat(GoodnessOfFit.pValue(
                        counts.stream().mapToLong(count -> count).toArray(),
                        probabilities.stream()
                                .mapToDouble(probability -> probability)
                                .toArray()))
                .isGreaterThan(GoodnessOfFit.FALSE_ALARM);
    }

    @ParameterizedTest
    @CsvSource({"OPTIMAL, true", "OPTIMAL, false", "TEXTBOOK, false"})
    void releaseValuesWhoseNoiseHasNothingToDoWithTheDecision(Allocation allocation, boolean monotone) {
        // Whatever made position 0 positive (it lies below the threshold), its value's noise is fresh.
        SparseVector mechanism = PureMechanisms.values(Epsilon.parse("2"), queries(monotone), 2, allocation, 0.05);
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
        assertThat(GoodnessOfFit.pValue(observed, probabilities)).isGreaterThan(GoodnessOfFit.FALSE_ALARM);
    }
}
