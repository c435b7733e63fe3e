package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Step;
import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * The loss of every transcript between neighbouring lists, from exact probabilities. Ten significant digits are
 * certain, so "at most epsilon" is at most epsilon · (1 + 1e-9).
 */
class ThresholdExactLossTests {
    private static final double ROUNDING = 1 + 1e-9;

    /**
     * One calibration to examine.
     *
     * @param worst the share of epsilon that the worst transcript loses
     */
    record Case(
            String name,
            double epsilon,
            long sensitivity,
            boolean monotone,
            int maxPositives,
            Description stated,
            double worst) {
        ExactTranscripts exact() {
            return ExactTranscripts.of(stated);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> calibrations() {
        return calibrations(2, "0.9");
    }

    static Stream<Case> furtherCalibrations() {
        return Stream.of(calibrations(1, "0.9"), calibrations(1, "2"), calibrations(2, "2"))
                .flatMap(cases -> cases);
    }

    private static Stream<Case> calibrations(int maxRows, String epsilon) {
        List<Case> cases = new ArrayList<>();
        for (boolean monotone : new boolean[] {true, false}) {
            ThresholdQueries queries = queries(monotone, maxRows);
            Epsilon whole = Epsilon.parse(epsilon);
            double value = Double.parseDouble(epsilon);
            cases.add(named(
                    value,
                    queries,
                    1,
                    new AboveThreshold(whole, queries, AboveThreshold.WhenNone.NONE, 0.05).description(),
                    1));
            for (int c : new int[] {1, 2, 3}) {
                for (Variant variant : List.of(Variant.SINGLE_THRESHOLD, Variant.RESTART, Variant.ONE_SIDED)) {
                    Form form = PureMechanisms.optimal(Release.INDICES, variant);
                    cases.add(named(value, queries, c, stated(whole, queries, c, form), 1));
                }
                // The textbook draws its comparison noise for a general list, whatever the list is. If all statistics
                // move one way, half of the comparisons' half is left unspent.
                cases.add(named(
                        value,
                        queries,
                        c,
                        stated(whole, queries, c, new Form(Release.INDICES, Allocation.TEXTBOOK, Variant.AUTOMATIC)),
                        monotone ? 0.75 : 1));
            }
        }
        return cases.stream();
    }

    private static Description stated(Epsilon epsilon, ThresholdQueries queries, int c, Form form) {
        return PureMechanisms.sparse(epsilon, queries, c, form, 0.05).description();
    }

    private static Case named(double epsilon, ThresholdQueries queries, int c, Description stated, double worst) {
        long sensitivity = queries.l1Sensitivity().longValueExact();
        boolean monotone = queries.isMonotone();
        return new Case(
                "%s at %s, %s, sensitivity %d, c = %d"
                        .formatted(stated.name(), epsilon, monotone ? "monotone" : "general", sensitivity, c),
                epsilon,
                sensitivity,
                monotone,
                c,
                stated,
                worst);
    }

    /** Counts of two-sided ranges: monotone where units are added, general where they are replaced. */
    private static ThresholdQueries queries(boolean monotone, int maxRows) {
        Neighborhood neighborhood = monotone ? SmallData.addOrRemoveUnit(maxRows) : SmallData.replaceUnit(maxRows);
        return ThresholdQueries.ofCounts(List.of(new Statistic.Count(0, false, 0, 1)), 0, neighborhood);
    }

    @ParameterizedTest
    @MethodSource("calibrations")
    void losesAtMostEpsilonOnEveryTranscriptOfShortLists(Case calibration) {
        ExactTranscripts exact = calibration.exact();
        long delta = calibration.sensitivity();
        double worst = 0;
        long[] excesses = {-2 * delta, 0, delta};
        for (List<Boolean> outcomes : outcomes(calibration.maxPositives())) {
            for (int list = 0; list < 27; list++) {
                List<Step> transcript = new ArrayList<>();
                for (int i = 0, rest = list; i < outcomes.size(); i++, rest /= 3) {
                    transcript.add(new Step(excesses[rest % 3], outcomes.get(i), 1));
                }
                for (List<Step> neighbor : neighbors(transcript, delta, calibration.monotone())) {
                    worst = Math.max(worst, exact.loss(transcript, neighbor));
                }
            }
        }
        assertThat(worst).isLessThanOrEqualTo(calibration.epsilon() * ROUNDING);
        assertThat(worst).as("the lists bite").isGreaterThan(calibration.epsilon() * 0.15);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("furtherCalibrations")
    void losesWhatItMayAtOtherEpsilonsAndSensitivitiesToo(Case calibration) {
        losesAtMostEpsilonOnEveryTranscriptOfShortLists(calibration);
        losesAllOfItsShareOnTheWorstLongList(calibration);
    }

    /** All transcripts of three statistics, which end at the last permitted positive. */
    private static List<List<Boolean>> outcomes(int maxPositives) {
        List<List<Boolean>> all = new ArrayList<>();
        for (int code = 0; code < 8; code++) {
            List<Boolean> outcomes = new ArrayList<>();
            int positives = 0;
            for (int i = 0; i < 3 && positives < maxPositives; i++) {
                boolean positive = (code >> i & 1) == 1;
                positives += positive ? 1 : 0;
                outcomes.add(positive);
            }
            if (!all.contains(outcomes)) {
                all.add(outcomes);
            }
        }
        return all;
    }

    private static List<List<Step>> neighbors(List<Step> transcript, long delta, boolean monotone) {
        List<List<Step>> neighbors = new ArrayList<>();
        for (int code = 0; code < 27; code++) {
            List<Step> neighbor = new ArrayList<>();
            boolean up = false;
            boolean down = false;
            for (int i = 0, rest = code; i < transcript.size(); i++, rest /= 3) {
                int direction = rest % 3 - 1;
                up |= direction > 0;
                down |= direction < 0;
                neighbor.add(transcript.get(i).moved(direction * delta));
            }
            if (!monotone || !up || !down) {
                neighbors.add(neighbor);
            }
        }
        return neighbors;
    }

    @ParameterizedTest
    @MethodSource("calibrations")
    void losesAllOfItsShareOnTheWorstLongList(Case calibration) {
        ExactTranscripts exact = calibration.exact();
        long delta = calibration.sensitivity();
        int c = calibration.maxPositives();
        double worst = 0;
        // Many negatives near the threshold push the noisy threshold up to where its noise falls off at the full rate.
        // A positive far below needs comparison noise that falls off at the full rate.
        long far =
                delta * (long) Math.ceil(ExactTranscripts.scale(calibration.stated(), "comparisonScale") * 5 / delta);
        for (int negatives : new int[] {0, 1, 30, 20_000}) {
            for (long low : new long[] {-far, -delta, 0}) {
                for (long high : new long[] {-far, 0}) {
                    for (List<Step> shape : shapes(negatives, low, high, c)) {
                        for (List<Step> neighbor : ExactTranscripts.neighbors(shape, calibration.monotone(), delta)) {
                            worst = Math.max(worst, exact.loss(shape, neighbor));
                        }
                    }
                }
            }
        }
        assertThat(worst).isLessThanOrEqualTo(calibration.epsilon() * calibration.worst() * ROUNDING);
        assertThat(worst).isGreaterThan(calibration.epsilon() * calibration.worst() * 0.999);
    }

    /** Negatives first and then all positives; negatives before each positive; negatives alone. */
    private static List<List<Step>> shapes(int negatives, long low, long high, int c) {
        List<Step> lows = negatives == 0 ? List.of() : List.of(ExactTranscripts.below(low, negatives));
        List<Step> together = new ArrayList<>(lows);
        together.addAll(Collections.nCopies(c, ExactTranscripts.above(high)));
        List<Step> alternating = new ArrayList<>();
        for (int i = 0; i < c; i++) {
            alternating.addAll(lows);
            alternating.add(ExactTranscripts.above(high));
        }
        return lows.isEmpty() ? List.of(together) : List.of(together, alternating, lows);
    }

    @Test
    void wouldLoseHalfAsMuchAgainIfAMixedListWereTakenForMonotone() {
        // What the derivation of "monotone" protects from: counts up, clip losses down, at the monotone scale.
        Description monotone = new AboveThreshold(
                        Epsilon.parse("1"), queries(true, 1), AboveThreshold.WhenNone.NONE, 0.05)
                .description();
        List<Step> transcript = List.of(ExactTranscripts.below(0, 100_000), ExactTranscripts.above(0));
        double loss = ExactTranscripts.of(monotone).loss(transcript, ExactTranscripts.moved(transcript, 1, -1));
        assertThat(loss).isEqualTo(1.5, within(0.01));
    }

    @Test
    void spendsExactlyEpsilonOnThresholdComparisonsAndValues() {
        for (String text : new String[] {"0.000001", "0.3", "1", "0.123456789", "100"}) {
            Rational epsilon = ExactArithmetic.of(Epsilon.parse(text));
            for (int factor = 1; factor <= 2; factor++) {
                for (int c : new int[] {1, 2, 3, 7, 10, 1_000}) {
                    ThresholdSplit split = ThresholdSplit.optimal(epsilon, factor, c);
                    assertThat(split.threshold().plus(split.comparisons())).isEqualTo(epsilon);
                    assertThat(split.threshold().signum()).isPositive();
                    assertThat(split.comparisonNoise(BigInteger.valueOf(5), factor, c)
                                    .scale())
                            .isEqualTo(Rational.of(5L * factor * c, 1).dividedBy(split.comparisons()));
                    assertThat(split.thresholdNoise(BigInteger.valueOf(5)).scale())
                            .isEqualTo(Rational.of(5, 1).dividedBy(split.threshold()));
                }
            }
            ThresholdSplit even = ThresholdSplit.even(epsilon);
            assertThat(even.threshold()).isEqualTo(even.comparisons());
            assertThat(even.threshold().plus(even.comparisons())).isEqualTo(epsilon);
        }
    }

    @Test
    void splitsAsThePaperSays() {
        // eps / (1 + c^(2/3)), monotone, c = 10: 0.177255030363426.
        ThresholdSplit split = ThresholdSplit.optimal(Rational.ONE, 1, 10);
        assertThat(split.threshold().doubleValue()).isEqualTo(0.177255030363426, within(1.8e-13));
        assertThat(ThresholdSplit.optimal(Rational.ONE, 2, 4).threshold()).isEqualTo(Rational.of(1, 5));
        assertThat(ExactArithmetic.twoThirdsPower(1)).isEqualTo(Rational.ONE);
        assertThat(ExactArithmetic.twoThirdsPower(1_000)).isEqualTo(Rational.of(100, 1));
        for (long value = 1; value <= 2_000; value++) {
            double root = Math.pow(value, 2.0 / 3);
            assertThat(ExactArithmetic.twoThirdsPower(value).doubleValue()).isCloseTo(root, within(1e-11));
        }
    }

    @Test
    void leavesTheValuesTheShareThatTheComparisonsDoNotUse() {
        for (boolean monotone : new boolean[] {true, false}) {
            for (int c : new int[] {1, 3, 10}) {
                ThresholdQueries queries = queries(monotone, 2);
                for (Allocation allocation : Allocation.values()) {
                    Description stated = PureMechanisms.values(Epsilon.parse("0.9"), queries, c, allocation, 0.05)
                            .description();
                    int factor = monotone && allocation == Allocation.OPTIMAL ? 1 : 2;
                    double forThreshold = 2 / ExactTranscripts.scale(stated, "thresholdScale");
                    double forComparison = 2 * factor / ExactTranscripts.scale(stated, "comparisonScale");
                    double forValue = 2 / ExactTranscripts.scale(stated, "valueScale");
                    int thresholds = allocation == Allocation.TEXTBOOK ? c : 1;
                    assertThat(thresholds * forThreshold + c * forComparison + c * forValue)
                            .isEqualTo(0.9, within(1e-9));
                    assertThat(c * forValue).isEqualTo(allocation == Allocation.TEXTBOOK ? 0.1 : 0.45, within(1e-9));
                }
            }
        }
    }
}
