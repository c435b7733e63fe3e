package dev.purser.mechanism;

import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The stated error of threshold answers. Statistical tests release 10,000 times; a bound that fails with probability at
 * most beta = 0.2 fails in 2,000 + 5 · 40 of the releases or more with probability below 3e-7.
 */
class ThresholdAccuracyStatisticalTests {
    private static final int RELEASES = 10_000;
    private static final double BETA = 0.2;
    private static final int MOST_FAILURES = 2_200;

    /** The number of releases where there are many forms: 800 + 5 · 25.3 may fail, with the same probability. */
    private static final int FEW_RELEASES = 4_000;

    private static final int MOST_FAILURES_OF_FEW = 927;
    private static final int SIZE = 20;
    private static final PrivacyAllowance ONE = new PrivacyAllowance.Pure(Epsilon.parse("1"));
    private static final PrivacyAllowance ONE_AND_DELTA =
            new PrivacyAllowance.Approximate(Epsilon.parse("1"), Delta.parse("0.000001"));

    private static ThresholdQueries counts(int size, long threshold, boolean monotone) {
        return ThresholdQueries.ofCounts(
                SmallData.countsOfEachValue(size),
                threshold,
                monotone ? SmallData.ADD_OR_REMOVE_ROW : SmallData.REPLACE_ROW);
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
                        // One more, because alpha is in whole steps.
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

    /**
     * A mechanism that states a bound.
     *
     * @param shrunk a share of the stated bound that no longer holds: the statement is at most this careful
     */
    record Stated(PrivacyAllowance allowance, Form form, boolean monotone, int c, double shrunk) {
        private SparseVector mechanism(long threshold) {
            return new SparseVector(allowance, counts(SIZE, threshold, monotone), c, form, BETA);
        }
    }

    static Stream<Stated> bounds() {
        List<Stated> bounds = new ArrayList<>();
        for (boolean monotone : new boolean[] {true, false}) {
            for (int c : new int[] {1, 4}) {
                bounds.add(new Stated(ONE, optimal(Release.INDICES, Variant.SINGLE_THRESHOLD), monotone, c, 0.6));
                bounds.add(new Stated(ONE, optimal(Release.INDICES, Variant.RESTART), monotone, c, 0.5));
                bounds.add(new Stated(ONE, optimal(Release.INDICES, Variant.ONE_SIDED), monotone, c, 0.6));
                bounds.add(new Stated(ONE, optimal(Release.GAPS, Variant.ADAPTIVE), monotone, c, 0.55));
                bounds.add(new Stated(ONE, optimal(Release.VALUES, Variant.SINGLE_THRESHOLD), monotone, c, 0.5));
                bounds.add(new Stated(ONE, optimal(Release.VALUES, Variant.RESTART), monotone, c, 0.4));
                bounds.add(new Stated(ONE, optimal(Release.VALUES, Variant.ONE_SIDED), monotone, c, 0.5));
            }
        }
        for (PrivacyAllowance allowance : List.of(ONE, ONE_AND_DELTA)) {
            for (Release release : List.of(Release.INDICES, Release.VALUES)) {
                bounds.add(new Stated(
                        allowance, new Form(release, Allocation.TEXTBOOK, Variant.AUTOMATIC), false, 4, 0.28));
            }
        }
        for (PrivacyAllowance allowance : List.of(ONE_AND_DELTA, new PrivacyAllowance.Concentrated(ONE.epsilon()))) {
            bounds.add(new Stated(allowance, optimal(Release.VALUES, Variant.RESTART), false, 4, 0.4));
            bounds.add(new Stated(allowance, optimal(Release.VALUES, Variant.AUTOMATIC), false, 4, 0.4));
        }
        return bounds.stream();
    }

    private static Form optimal(Release release, Variant variant) {
        return PureMechanisms.optimal(release, variant);
    }

    @ParameterizedTest
    @MethodSource("bounds")
    void decidesAndReleasesAsStated(Stated stated) {
        // The hardest data for the bound: all values are just within reach of one wrong side, or alternate between
        // both.
        BigInteger alpha = stated.mechanism(0).alphaSteps().toBigInteger();
        for (long side : new long[] {-1, 0, 1}) {
            assertThat(failures(stated, alpha, alpha, side)).isLessThan(MOST_FAILURES_OF_FEW);
        }
    }

    @ParameterizedTest
    @MethodSource("bounds")
    void statesNoMoreThanNeeded(Stated stated) {
        BigInteger shrunk = stated.mechanism(0)
                .alphaSteps()
                .multiply(BigDecimal.valueOf(stated.shrunk()))
                .toBigInteger();
        int most = 0;
        for (long side : new long[] {-1, 0, 1}) {
            most = Math.max(most, failures(stated, shrunk, shrunk, side));
        }
        assertThat(most).isGreaterThan(FEW_RELEASES / 5);
    }

    /**
     * How many releases break the bound, for lists of values that are all above the threshold by one more than
     * {@code distance}, or all below it, or alternate.
     */
    private static int failures(Stated stated, BigInteger bound, BigInteger distance, long side) {
        long far = distance.longValueExact() + 1;
        SparseVector mechanism = stated.mechanism(far);
        Buckets.Builder builder = Buckets.over(LongStream.rangeClosed(0, SIZE).toArray());
        boolean[] high = new boolean[SIZE];
        for (int i = 0; i < SIZE; i++) {
            high[i] = side > 0 || (side == 0 && i % 2 == 1);
            builder.add(i, high[i] ? 2 * far : 0);
        }
        Sensitive<List<Buckets>> exact = Sensitive.of(List.of(builder.build()));
        RandomBits bits = new SeededBits(41);
        int failures = 0;
        for (int i = 0; i < FEW_RELEASES; i++) {
            failures += isWithin(bound, mechanism.release(exact, bits), high, far) ? 0 : 1;
        }
        return failures;
    }

    private static boolean isWithin(BigInteger bound, SparseVector.Answer answer, boolean[] high, long far) {
        boolean[] called = new boolean[SIZE];
        for (SparseVector.Positive positive : answer.positives()) {
            called[positive.index()] = true;
            BigInteger value = BigInteger.valueOf(high[positive.index()] ? 2 * far : 0);
            if (positive.valueSteps().orElse(value).subtract(value).abs().compareTo(bound) > 0) {
                return false;
            }
        }
        return Arrays.equals(called, 0, answer.examined(), high, 0, answer.examined());
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
        // The bound adds two worst cases and looks at both signs of the threshold's noise. So at least a tenth of beta
        // is used.
        assertThat(failures).isBetween(200, MOST_FAILURES);
    }

    static Stream<Stated> intervals() {
        PrivacyAllowance fifth = new PrivacyAllowance.Pure(Epsilon.parse("0.2"));
        Form textbook = new Form(Release.VALUES, Allocation.TEXTBOOK, Variant.AUTOMATIC);
        return Stream.of(
                new Stated(fifth, optimal(Release.VALUES, Variant.AUTOMATIC), true, 1, 0),
                new Stated(fifth, optimal(Release.VALUES, Variant.AUTOMATIC), true, 3, 0),
                new Stated(fifth, optimal(Release.VALUES, Variant.RESTART), true, 3, 0),
                new Stated(fifth, optimal(Release.VALUES, Variant.ONE_SIDED), true, 3, 0),
                new Stated(
                        new PrivacyAllowance.Concentrated(fifth.epsilon()),
                        optimal(Release.VALUES, Variant.AUTOMATIC),
                        true,
                        3,
                        0),
                new Stated(fifth, textbook, true, 3, 0),
                new Stated(
                        new PrivacyAllowance.Approximate(fifth.epsilon(), Delta.parse("0.000001")),
                        textbook,
                        true,
                        3,
                        0));
    }

    @ParameterizedTest
    @MethodSource("intervals")
    void coversAllReleasedValuesTogether(Stated stated) {
        // The values are far above the threshold, so that c of them are released. Then at least one interval fails with
        // probability beta, up to the step that whole numbers make: between 0.15 and 0.2.
        int c = stated.c();
        SparseVector mechanism = new SparseVector(stated.allowance(), counts(5, 10, true), c, stated.form(), BETA);
        List<long[]> rows = SmallData.rowsOfEachValue(20_000, 20_000, 20_000, 20_000, 20_000);
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
                        .subtract(BigInteger.valueOf(20_000))
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
        // At most half of beta is left to the values: 1,000 + 5 · 30.
        assertThat(beyondAlpha).isLessThan(1_150);
    }

    @ParameterizedTest
    @EnumSource(
            value = Variant.class,
            names = {"SINGLE_THRESHOLD", "RESTART", "ONE_SIDED"})
    void coversAValueWhateverMadeItPositive(Variant variant) {
        // The value lies 30 below the threshold and is sometimes released. Given a release, its interval fails with
        // probability at most beta, up to chance of 5 sigmas, and at least three quarters of beta.
        ThresholdQueries one = counts(1, 30, true);
        SparseVector mechanism =
                PureMechanisms.sparse(Epsilon.parse("0.2"), one, 1, optimal(Release.VALUES, variant), BETA);
        Sensitive<List<Buckets>> none = SmallData.ONE_COLUMN.sensitive(mechanism, List.of());
        BigInteger halfWidth = mechanism.intervalHalfWidthSteps().orElseThrow();
        RandomBits bits = new SeededBits(44);
        int released = 0;
        int uncovered = 0;
        while (released < 2_000) {
            for (SparseVector.Positive positive : mechanism.release(none, bits).positives()) {
                released++;
                uncovered += positive.valueSteps().orElseThrow().abs().compareTo(halfWidth) > 0 ? 1 : 0;
            }
        }
        assertThat(uncovered).isBetween(300, 490);
    }

    @Test
    void movesAOneSidedThresholdToWhereBothErrorsMeet() {
        ThresholdVariant.Setting setting = counts(SIZE, 0, false).setting(4);
        OneSidedScan scan = OneSidedScan.single(setting, Rational.ONE, BETA);
        ThresholdAccuracy.OneSided best =
                ThresholdAccuracy.oneSided(scan.thresholdNoise(), scan.comparisonNoise(), SIZE, BETA);
        assertThat(scan.shift()).isEqualTo(best.shift());
        assertThat(scan.alphaSteps(SIZE, BETA)).isEqualTo(best.alpha());
        for (long off : new long[] {-10, 10}) {
            assertThat(ThresholdAccuracy.oneSided(
                            scan.thresholdNoise(),
                            scan.comparisonNoise(),
                            SIZE,
                            BETA,
                            scan.shift().add(BigInteger.valueOf(off))))
                    .isGreaterThan(best.alpha());
        }
    }

    @Test
    void hasNoIntervalWhereNoValuesAreReleased() {
        assertThat(PureMechanisms.indices(Epsilon.parse("1"), counts(3, 0, true), 1, Allocation.OPTIMAL, BETA)
                        .intervalHalfWidthSteps())
                .isEmpty();
    }
}
