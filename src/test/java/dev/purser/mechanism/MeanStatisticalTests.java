package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.noise.GoodnessOfFit;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/**
 * Intervals and errors of means, counts and sums. 4,000 releases at beta = 0.2: an interval that fails with probability
 * at most beta fails in 800 + 5 · 25.3 or more of the releases with probability below 3e-7.
 */
class MeanStatisticalTests {
    private static final int RELEASES = 4_000;
    private static final double BETA = 0.2;
    private static final int MOST_FAILURES = 927;

    enum Method {
        TWO_SIDED((epsilon, target) -> new TwoSidedMean(new PrivacyAllowance.Pure(epsilon), target, BETA)),
        AUTO_CLIP((epsilon, target) -> new AutoClipMean(epsilon, target, BETA)),
        SUM_AND_COUNT((epsilon, target) -> new SumAndCountMean(epsilon, target, BETA)),
        CENTERED((epsilon, target) -> new CenteredMean(epsilon, target, BETA)),
        KNOWN_COUNT((epsilon, target) -> new KnownCountMean(epsilon, target, BETA));

        private final BiFunction<Epsilon, MeanTarget, Mechanism<MeanAnswer>> made;

        Method(BiFunction<Epsilon, MeanTarget, Mechanism<MeanAnswer>> made) {
            this.made = made;
        }

        Mechanism<MeanAnswer> of(String epsilon, MeanTarget target) {
            return made.apply(Epsilon.parse(epsilon), target);
        }

        MeanTarget target(long lower, long upper) {
            return new MeanTarget(
                    0, false, lower, upper, this == KNOWN_COUNT ? SmallData.REPLACE_ROW : SmallData.ADD_OR_REMOVE_ROW);
        }
    }

    /** The means of rows clamped to the ranges of answers. Means are kept, because most answers share a few ranges. */
    private record Truth(List<long[]> rows, Map<List<Long>, Double> means) {
        Truth(List<long[]> rows) {
            this(rows, new HashMap<>());
        }

        double within(MeanAnswer answer) {
            return means.computeIfAbsent(
                    List.of(answer.clipLowerSteps(), answer.clipUpperSteps()),
                    range -> meanOf(rows, range.getFirst(), range.getLast()));
        }
    }

    private static double meanOf(List<long[]> rows, long lower, long upper) {
        return rows.stream()
                .mapToLong(row -> Math.clamp(row[0], lower, upper))
                .average()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void holdTheClampedMeanInTheirInterval(Method method) {
        assertHoldsTheClampedMean(method, new long[][] {{-100, 100}});
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void holdTheClampedMeanInTheirIntervalOnEitherSideOfZero(Method method) {
        assertHoldsTheClampedMean(method, new long[][] {{0, 100}, {150, 200}, {-90, -20}, {-100, 0}});
    }

    private static void assertHoldsTheClampedMean(Method method, long[][] bounds) {
        SplittableRandom random = new SplittableRandom(51);
        for (long[] ends : bounds) {
            for (int size : new int[] {1, 4, 300}) {
                List<long[]> rows = new ArrayList<>();
                for (int i = 0; i < size; i++) {
                    rows.add(new long[] {random.nextLong(ends[0] - 10, (ends[0] + ends[1]) / 2 + 20)});
                }
                int failures = failures(method, rows, method.target(ends[0], ends[1]));
                assertThat(failures).isLessThan(MOST_FAILURES);
                // The interval is made of the corners of two noises, each at half of beta. It fails with probability
                // beta / 12 or more.
                int least = method == Method.KNOWN_COUNT ? 600 : 20;
                if (size == 300) {
                    assertThat(failures).as("not absurdly wide").isGreaterThan(least);
                }
            }
        }
    }

    private static int failures(Method method, List<long[]> rows, MeanTarget target) {
        Mechanism<MeanAnswer> mechanism = method.of("0.5", target);
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, rows);
        RandomBits bits = new SeededBits(52);
        Truth clamped = new Truth(rows);
        int failures = 0;
        for (int i = 0; i < RELEASES; i++) {
            MeanAnswer answer = mechanism.release(exact, bits);
            // The interval is for the mean of values clamped to the range that the answer states.
            double truth = clamped.within(answer);
            assertThat(answer.meanSteps()).isBetween(answer.lowSteps(), answer.highSteps());
            assertThat(answer.lowSteps()).isGreaterThanOrEqualTo(BigDecimal.valueOf(answer.clipLowerSteps()));
            assertThat(answer.highSteps()).isLessThanOrEqualTo(BigDecimal.valueOf(answer.clipUpperSteps()));
            assertThat(answer.clipLowerSteps()).isGreaterThanOrEqualTo(target.lower());
            assertThat(answer.clipUpperSteps()).isLessThanOrEqualTo(target.upper());
            boolean inside = answer.lowSteps().doubleValue() <= truth + 1e-12
                    && answer.highSteps().doubleValue() >= truth - 1e-12;
            failures += inside ? 0 : 1;
        }
        return failures;
    }

    /**
     * All rows have one value: at an end of the range, where the error of the count has most effect, or next to the
     * end, where clamping does not help. The error is measured against the mean of values clamped to the range that the
     * answer states.
     */
    @ParameterizedTest
    @EnumSource
    void errByNoMoreThanIsExpectedBeforeTheRelease(Method method) {
        assertErrsByNoMoreThanIsExpected(method, -1_000, 1_000, 1, 300);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("ranges")
    void errByNoMoreThanIsExpectedInEveryRange(Method method, long lower, long upper) {
        assertErrsByNoMoreThanIsExpected(method, lower, upper, 1, 40, 300, 3_000);
    }

    private static void assertErrsByNoMoreThanIsExpected(Method method, long lower, long upper, int... sizes) {
        MeanTarget target = method.target(lower, upper);
        MeanMechanism mechanism = (MeanMechanism) method.of("0.5", target);
        for (int size : sizes) {
            double alpha = mechanism.expectedAlphaSteps(size).doubleValue();
            assertThat(alpha).isLessThanOrEqualTo(upper - lower);
            double worst = 0;
            for (long value : new long[] {lower, lower + 100, (lower + upper) / 2, upper - 100, upper}) {
                List<Double> errors = errors(mechanism, SmallData.repeated(size, value));
                long beyond =
                        errors.stream().filter(error -> error > alpha + 1e-9).count();
                assertThat(beyond).isLessThan(MOST_FAILURES);
                worst = Math.max(worst, errors.stream().sorted().toList().get((int) (RELEASES * (1 - BETA))));
            }
            if (size >= 300) {
                // The bound has to allow for sum and count at their worst together. That happens less often than the
                // bound allows.
                assertThat(worst).as("not absurdly wide").isGreaterThan(alpha / 4);
            }
        }
    }

    static Stream<Arguments> ranges() {
        long[][] bounds = {{0, 1_000}, {-1_000, 1_000}, {1_500, 2_000}, {-900, -200}};
        return Stream.of(Method.values())
                .flatMap(method -> Stream.of(bounds).map(ends -> Arguments.of(method, ends[0], ends[1])));
    }

    private static List<Double> errors(MeanMechanism mechanism, List<long[]> rows) {
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, rows);
        RandomBits bits = new SeededBits(57);
        List<Double> errors = new ArrayList<>(RELEASES);
        Truth clamped = new Truth(rows);
        for (int i = 0; i < RELEASES; i++) {
            MeanAnswer answer = mechanism.release(exact, bits);
            double truth = clamped.within(answer);
            errors.add(Math.abs(answer.meanSteps().doubleValue() - truth));
        }
        return errors;
    }

    @ParameterizedTest
    @EnumSource
    void expectNoLessOfMoreEpsilonOrMoreRows(Method method) {
        MeanTarget target = method.target(-90, 210);
        BigDecimal before = BigDecimal.valueOf(300);
        for (int step = 1; step < 2_000; step++) {
            MeanMechanism mechanism =
                    (MeanMechanism) method.of(BigDecimal.valueOf(step, 3).toPlainString(), target);
            BigDecimal alpha = mechanism.expectedAlphaSteps(500);
            assertThat(alpha).isLessThanOrEqualTo(before);
            assertThat(mechanism.expectedAlphaSteps(501)).isLessThanOrEqualTo(alpha);
            before = alpha;
        }
        assertThat(before).isLessThan(BigDecimal.TEN);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ((MeanMechanism) method.of("1", target)).expectedAlphaSteps(0));
    }

    @Test
    void expectOfAKnownCountTheNoiseOfTheSumOverIt() {
        MeanMechanism mechanism = new KnownCountMean(Epsilon.parse("0.1"), Method.KNOWN_COUNT.target(0, 4), BETA);
        BigInteger sumError = new DiscreteLaplace(Rational.of(40, 1)).twoSidedQuantile(BETA);
        assertThat(mechanism.expectedAlphaSteps(1_000)).isEqualByComparingTo(new BigDecimal(sumError).movePointLeft(3));
        assertThat(mechanism.expectedAlphaSteps(1)).isEqualByComparingTo("4");
    }

    @ParameterizedTest
    @EnumSource
    void comeCloseToTheMeanOfManyRows(Method method) {
        // 100,000 rows at epsilon 1: the noise moves a mean of [0, 1000] by less than 0.5, except with probability
        // 1e-9.
        List<long[]> rows = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            rows.add(new long[] {i % 1_000});
        }
        MeanTarget target = method.target(0, 1_000);
        Mechanism<MeanAnswer> mechanism = method.of("1", target);
        MeanAnswer answer = mechanism.release(SmallData.ONE_COLUMN.sensitive(mechanism, rows), new SeededBits(53));
        assertThat(answer.meanSteps().doubleValue())
                .isEqualTo(meanOf(rows, answer.clipLowerSteps(), answer.clipUpperSteps()), within(0.5));
        assertThat(answer.alphaSteps().doubleValue()).isLessThan(0.5);
    }

    /** In units of the range's width over n: √(2((1 − p)² + p²)), p the place of the mean in the range. */
    @ParameterizedTest
    @ValueSource(longs = {10, 300, 500})
    void errByTheFormulaOfTwoSums(long value) {
        Mechanism<MeanAnswer> mechanism = Method.TWO_SIDED.of("1", Method.TWO_SIDED.target(0, 1_000));
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, SmallData.repeated(2_000, value));
        RandomBits bits = new SeededBits(58);
        double squares = 0;
        for (int i = 0; i < 5_000; i++) {
            double error = mechanism.release(exact, bits).meanSteps().doubleValue() - value;
            squares += error * error / 5_000;
        }
        double p = value / 1_000.0;
        double stated = Math.sqrt(2 * ((1 - p) * (1 - p) + p * p)) * 1_000 / 2_000;
        assertThat(Math.sqrt(squares)).isEqualTo(stated, within(0.05 * stated));
    }

    /** A mean of skewed values near the lower end of the range, such as capital gains. */
    @Test
    void stateANarrowerIntervalFromBothEndsThanAboutTheMiddle() {
        List<long[]> rows = SmallData.repeated(30_000, 1_000);
        BigDecimal ofTwoSided = alpha(Method.TWO_SIDED, rows);
        assertThat(ofTwoSided).isLessThan(alpha(Method.CENTERED, rows).multiply(new BigDecimal("0.4")));
    }

    private static BigDecimal alpha(Method method, List<long[]> rows) {
        MeanTarget target = method.target(0, 99_999);
        Mechanism<MeanAnswer> mechanism = new TwoSidedMean(new PrivacyAllowance.Pure(Epsilon.parse("1")), target, 0.05);
        if (method == Method.CENTERED) {
            mechanism = new CenteredMean(Epsilon.parse("1"), target, 0.05);
        }
        return mechanism
                .release(SmallData.ONE_COLUMN.sensitive(mechanism, rows), new SeededBits(59))
                .alphaSteps();
    }

    @Test
    void findARangeThatFitsSkewedData() {
        // 20,000 rows below 2,000 and 5 of 2^40, epsilon 1: at the declared bound the noise of the mean would be 2^40 /
        // 0.6 / 20,000, that is 9e7. A single search runs on past 10,000 with probability below 0.2, half of 51
        // searches with probability below 1e-6.
        List<long[]> rows = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            rows.add(new long[] {i % 2_000});
        }
        rows.addAll(SmallData.repeated(5, 1L << 40));
        Mechanism<MeanAnswer> mechanism =
                Method.AUTO_CLIP.of("1", new MeanTarget(0, false, 0, 1L << 40, SmallData.ADD_OR_REMOVE_ROW));
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, rows);
        RandomBits bits = new SeededBits(54);
        List<Long> bounds = new ArrayList<>();
        List<Double> errors = new ArrayList<>();
        for (int i = 0; i < 51; i++) {
            MeanAnswer answer = mechanism.release(exact, bits);
            bounds.add(answer.clipUpperSteps());
            errors.add(Math.abs(answer.meanSteps().doubleValue() - 1_000));
        }
        assertThat(bounds.stream().sorted().toList().get(25)).isBetween(1_000L, 10_000L);
        assertThat(errors.stream().sorted().toList().get(25)).isLessThan(20);
    }

    @Test
    void searchInBothDirectionsAtHalfTheSearchShareEach() {
        // There is no row, so each search sees zero everywhere, ten above its threshold. At epsilon 1 a direction has a
        // tenth of epsilon, split evenly: both scales are 20. 40,000 releases, chi-square on the pairs of bounds, false
        // alarm 1e-6.
        MeanTarget target = Method.AUTO_CLIP.target(-40, 90);
        AutoClipMean mechanism = new AutoClipMean(Epsilon.parse("1"), target, BETA);
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, List.of());
        double[] up = stops(
                new ExactTranscripts(20, 20, false), ClipSearch.distances(90).size());
        double[] down = stops(
                new ExactTranscripts(20, 20, false), ClipSearch.distances(40).size());
        double[] expected = new double[up.length * down.length];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = up[i / down.length] * down[i % down.length];
        }
        long[] seen = new long[expected.length];
        RandomBits bits = new SeededBits(56);
        for (int i = 0; i < 40_000; i++) {
            MeanAnswer answer = mechanism.release(exact, bits);
            int upper = ClipSearch.distances(90).indexOf(answer.clipUpperSteps());
            int lower = ClipSearch.distances(40).indexOf(-answer.clipLowerSteps());
            seen[upper * down.length + lower]++;
        }
        assertThat(GoodnessOfFit.pValue(seen, expected)).isGreaterThan(GoodnessOfFit.FALSE_ALARM);
    }

    /** The probability that a search stops at each candidate, if all its statistics are ten above the threshold. */
    private static double[] stops(ExactTranscripts search, int candidates) {
        double[] probabilities = new double[candidates];
        double before = 1;
        for (int i = 0; i < candidates - 1; i++) {
            double passed = search.probability(List.of(ExactTranscripts.below(10, i + 1)));
            probabilities[i] = before - passed;
            before = passed;
        }
        // The last candidate is kept whether the search calls it or not.
        probabilities[candidates - 1] = before;
        return probabilities;
    }

    @Test
    void giveTheSumFourFifthsAfterASearchWhereTheCountIsPublic() {
        // One row of 0 in [0, 1000], epsilon 2: the mean is at the bound found if the noise of the sum, of scale bound
        // / 1.6, reaches this bound. 40,000 releases, five standard deviations, 6e-7.
        MeanTarget target = new MeanTarget(0, false, 0, 1_000, SmallData.REPLACE_ROW);
        AutoClipMean mechanism = new AutoClipMean(Epsilon.parse("2"), target, BETA);
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, SmallData.rows(0));
        List<Long> candidates = ClipSearch.distances(1_000);
        double[] stops = stops(new ExactTranscripts(5, 5, false), candidates.size());
        double expected = 0;
        for (int i = 0; i < stops.length; i++) {
            long bound = candidates.get(i);
            expected += stops[i] * new DiscreteLaplacePmf(bound / 1.6).atLeast(bound);
        }
        RandomBits bits = new SeededBits(57);
        int atBound = 0;
        for (int i = 0; i < 40_000; i++) {
            MeanAnswer answer = mechanism.release(exact, bits);
            atBound += answer.meanSteps().compareTo(BigDecimal.valueOf(answer.clipUpperSteps())) == 0 ? 1 : 0;
        }
        assertThat(atBound / 40_000.0).isEqualTo(expected, within(5 * Math.sqrt(expected * (1 - expected) / 40_000)));
    }

    @Test
    void refuseAKnownCountWhereTheCountIsPrivate() {
        List<MeanTarget> refused = List.of(
                new MeanTarget(0, false, 0, 1, SmallData.ADD_OR_REMOVE_ROW),
                new MeanTarget(0, true, 0, 1, SmallData.REPLACE_ROW),
                new MeanTarget(0, false, 0, 1, SmallData.replaceUnit(1)));
        for (MeanTarget target : refused) {
            assertThat(KnownCountMean.isPrivateFor(target)).isFalse();
            assertThatIllegalArgumentException().isThrownBy(() -> Method.KNOWN_COUNT.of("1", target));
        }
        assertThat(KnownCountMean.isPrivateFor(new MeanTarget(0, false, 0, 1, SmallData.REPLACE_ROW)))
                .isTrue();
    }

    @Test
    void roundTheirIntervalOutwards() {
        Rational third = Rational.of(1, 3);
        Rational twoThirds = Rational.of(2, 3);
        for (Rational exact : List.of(third, twoThirds)) {
            MeanAnswer answer = MeanAnswer.within(Method.CENTERED.target(0, 1), exact, exact, exact);
            assertThat(answer.lowSteps().multiply(BigDecimal.valueOf(3))).isLessThan(new BigDecimal(exact.numerator()));
            assertThat(answer.highSteps().multiply(BigDecimal.valueOf(3)))
                    .isGreaterThan(new BigDecimal(exact.numerator()));
        }
    }

    @Test
    void countsAndSumsErrByMoreThanAlphaAsOftenAsStated() {
        // The exact tail at alpha is known: 0.1855 for the count (scale 2, alpha 3), between 0.19 and 0.2 for the sum.
        NoisyStatistic count = PureMechanisms.count(
                Epsilon.parse("0.5"), Statistic.Count.ofAll(0, false), SmallData.ADD_OR_REMOVE_ROW, BETA);
        NoisyStatistic sum = PureMechanisms.sum(
                Epsilon.parse("0.5"), new Statistic.ClampedSum(0, false, -50, 70), SmallData.ADD_OR_REMOVE_ROW, BETA);
        List<long[]> rows = SmallData.rows(-500, 3, 9, 500);
        assertThat(errors(count, rows, BigInteger.valueOf(4))).isBetween(560, MOST_FAILURES);
        assertThat(errors(sum, rows, BigInteger.valueOf(32))).isBetween(660, MOST_FAILURES);
    }

    private static int errors(NoisyStatistic mechanism, List<long[]> rows, BigInteger truth) {
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, rows);
        RandomBits bits = new SeededBits(55);
        int errors = 0;
        for (int i = 0; i < RELEASES; i++) {
            BigInteger error =
                    mechanism.release(exact, bits).steps().subtract(truth).abs();
            errors += error.compareTo(mechanism.alphaSteps()) > 0 ? 1 : 0;
        }
        return errors;
    }
}
