package dev.purser.mechanism;

import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.noise.RandomBits;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * What is said about the error of threshold answers. Statistical tests release 10 000 times; a bound that fails with
 * probability at most beta = 0.2 fails in 2 000 + 5 · 40 of them or more with probability below 3e-7.
 */
class ThresholdAccuracyStatisticalTests {
    private static final int RELEASES = 10_000;
    private static final double BETA = 0.2;
    private static final int MOST_FAILURES = 2_200;

    @Test
    void givesThePublishedBounds() {
        assertThat(ThresholdAccuracy.publishedSparse(1_000, 1, 0.05, 0.5)).isEqualTo(169.546155729537, within(1e-10));
        assertThat(ThresholdAccuracy.publishedSparse(1_000, 5, 0.01, 1)).isEqualTo(552.620422318571, within(1e-10));
        assertThat(ThresholdAccuracy.publishedNumericSparse(200, 3, 0.05, 1))
                .isEqualTo(291.031819827031, within(1e-10));
        assertThat(ThresholdAccuracy.publishedNumericSparse(1_000_000, 20, 0.001, 2))
                .isEqualTo(2259.476322, within(1e-5));
    }

    private static ThresholdQueries counts(int size, long threshold, boolean monotone) {
        List<Statistic.Count> counts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            counts.add(new Statistic.Count(0, false, i, i + 1));
        }
        return ThresholdQueries.ofCounts(
                counts, threshold, monotone ? SmallData.ADD_OR_REMOVE_ROW : SmallData.REPLACE_ROW);
    }

    @Test
    void neverStatesMoreThanThePublishedBound() {
        for (int size : new int[] {1, 2, 10, 1_000}) {
            for (String epsilon : new String[] {"0.001", "0.5", "1", "10"}) {
                for (double beta : new double[] {0.5, 0.05, 1e-6}) {
                    for (boolean monotone : new boolean[] {true, false}) {
                        ThresholdQueries queries = counts(size, 0, monotone);
                        double eps = Double.parseDouble(epsilon);
                        BigInteger above = new AboveThreshold(
                                        Epsilon.parse(epsilon), queries, AboveThreshold.WhenNone.NONE, beta)
                                .alphaSteps();
                        // Whole steps, hence one more.
                        assertThat(above.doubleValue())
                                .isLessThanOrEqualTo(ThresholdAccuracy.publishedSparse(size, 1, beta, eps) + 1);
                        for (int c : new int[] {1, 5}) {
                            assertThat(alpha(PureMechanisms.indices(
                                            Epsilon.parse(epsilon), queries, c, Allocation.OPTIMAL, beta)))
                                    .isLessThanOrEqualTo(ThresholdAccuracy.publishedSparse(size, c, beta, eps) + 1);
                        }
                    }
                }
            }
        }
    }

    private static double alpha(SparseVector mechanism) {
        return mechanism.alphaSteps().doubleValue();
    }

    @Test
    void scalesThePublishedBoundWithTheSensitivity() {
        ThresholdQueries queries = ThresholdQueries.ofCounts(
                List.of(new Statistic.Count(0, false, 0, 1)), 0, SmallData.addOrRemoveUnit(3));
        SparseVector mechanism = PureMechanisms.indices(Epsilon.parse("1"), queries, 5, Allocation.TEXTBOOK, 0.01);
        assertThat(mechanism.alphaSteps())
                .isEqualByComparingTo(BigDecimal.valueOf(ThresholdAccuracy.publishedSparse(1, 5, 0.01, 1))
                        .multiply(BigDecimal.valueOf(3)));
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIMAL, true, 1, 0.02",
        "OPTIMAL, false, 1, 0.02",
        "OPTIMAL, true, 4, 0.02",
        "OPTIMAL, false, 4, 0.02",
        "TEXTBOOK, true, 4, 0",
        "TEXTBOOK, false, 1, 0"
    })
    void decidesAsStated(Allocation allocation, boolean monotone, int c, double least) {
        // The hardest data for the bound: all lie just within reach of one wrong side.
        Epsilon epsilon = Epsilon.parse("1");
        int size = 20;
        SparseVector sized = PureMechanisms.indices(epsilon, counts(size, 0, monotone), c, allocation, BETA);
        int alpha = sized.alphaSteps().setScale(0, RoundingMode.FLOOR).intValueExact();
        int threshold = alpha + 1;
        SparseVector mechanism =
                PureMechanisms.indices(epsilon, counts(size, threshold, monotone), c, allocation, BETA);

        // Each value alpha + 1 below the threshold: every positive is an error.
        int failures = 0;
        Sensitive<List<Buckets>> low = SmallData.ONE_COLUMN.sensitive(mechanism, List.of());
        RandomBits bits = new SeededBits(41);
        for (int i = 0; i < RELEASES; i++) {
            failures += mechanism.release(low, bits).positives().isEmpty() ? 0 : 1;
        }
        assertThat(failures).isLessThan(MOST_FAILURES);

        // Each value alpha + 1 above it: every negative among the examined is an error.
        List<long[]> rows = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            rows.addAll(SmallData.repeated(threshold + alpha + 1, i));
        }
        Sensitive<List<Buckets>> high = SmallData.ONE_COLUMN.sensitive(mechanism, rows);
        int missed = 0;
        for (int i = 0; i < RELEASES; i++) {
            SparseVector.Answer answer = mechanism.release(high, bits);
            missed += answer.positives().size() < answer.examined() ? 1 : 0;
        }
        assertThat(missed).isLessThan(MOST_FAILURES);
        assertThat(failures).as("not absurdly careful").isGreaterThanOrEqualTo((int) (least * RELEASES));
    }

    @Test
    void boundsTheErrorOfAboveThreshold() {
        Epsilon epsilon = Epsilon.parse("0.5");
        int alpha = new AboveThreshold(epsilon, counts(20, 0, true), AboveThreshold.WhenNone.NONE, BETA)
                .alphaSteps()
                .intValueExact();
        AboveThreshold mechanism =
                new AboveThreshold(epsilon, counts(20, alpha + 1, true), AboveThreshold.WhenNone.NONE, BETA);
        Sensitive<List<Buckets>> low = SmallData.ONE_COLUMN.sensitive(mechanism, List.of());
        RandomBits bits = new SeededBits(42);
        int failures = 0;
        for (int i = 0; i < RELEASES; i++) {
            failures += mechanism.release(low, bits).index().isPresent() ? 1 : 0;
        }
        // The bound adds two worst cases and looks at both signs of the threshold's noise: a tenth of beta is
        // used, or more.
        assertThat(failures).isBetween(200, MOST_FAILURES);
    }

    @ParameterizedTest
    @CsvSource({"OPTIMAL, 1", "OPTIMAL, 3", "TEXTBOOK, 3"})
    void coversAllReleasedValuesTogether(Allocation allocation, int c) {
        // Values far above the threshold, so that c of them are released: the intervals' joint failure is then beta up
        // to the step that whole numbers make. Between 0.15 and 0.2.
        SparseVector mechanism = PureMechanisms.values(Epsilon.parse("0.2"), counts(5, 10, true), c, allocation, BETA);
        List<long[]> rows = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            rows.addAll(SmallData.repeated(2_000, i));
        }
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, rows);
        BigInteger halfWidth = mechanism.intervalHalfWidthSteps().orElseThrow();
        BigInteger alpha = mechanism.alphaSteps().toBigInteger();
        RandomBits bits = new SeededBits(43);
        int uncovered = 0;
        int beyondAlpha = 0;
        Set<Integer> released = new HashSet<>();
        for (int i = 0; i < RELEASES; i++) {
            boolean out = false;
            boolean far = false;
            for (SparseVector.Positive positive : mechanism.release(exact, bits).positives()) {
                BigInteger error = positive.valueSteps()
                        .orElseThrow()
                        .subtract(BigInteger.valueOf(2_000))
                        .abs();
                out |= error.compareTo(halfWidth) > 0;
                far |= error.compareTo(alpha) > 0;
                released.add(positive.index());
            }
            uncovered += out ? 1 : 0;
            beyondAlpha += far ? 1 : 0;
        }
        assertThat(released).hasSize(c);
        assertThat(uncovered).isBetween(1_500, MOST_FAILURES);
        // Half of beta at most is left to the values: 1 000 + 5 · 30.
        assertThat(beyondAlpha).isLessThan(1_150);
    }

    @Test
    void hasNoIntervalWhereNoValuesAreReleased() {
        assertThat(PureMechanisms.indices(Epsilon.parse("1"), counts(3, 0, true), 1, Allocation.OPTIMAL, BETA)
                        .intervalHalfWidthSteps())
                .isEmpty();
    }
}
