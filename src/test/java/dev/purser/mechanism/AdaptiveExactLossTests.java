package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Outcome;
import dev.purser.mechanism.ExactTranscripts.Step;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * The loss of the adaptive variant, transcript by transcript, from exact probabilities at the scales that the mechanism
 * states. A transcript here also says which comparison found each positive. The release says less, so the release loses
 * no more.
 */
class AdaptiveExactLossTests {
    private static final double ROUNDING = 1 + 1e-9;
    private static final Epsilon EPSILON = Epsilon.parse("1");
    private static final int MOST_POSITIVES = 4;

    /** One combination that is tested. */
    record Setting(boolean monotone, int maxRows, int maxPositives, boolean gaps) {
        private Description stated() {
            Neighborhood neighborhood = monotone ? SmallData.addOrRemoveUnit(maxRows) : SmallData.replaceUnit(maxRows);
            ThresholdQueries queries =
                    ThresholdQueries.ofCounts(List.of(new Statistic.Count(0, false, 0, 1)), 0, neighborhood);
            Release release = gaps ? Release.GAPS : Release.INDICES;
            return PureMechanisms.sparse(
                            EPSILON, queries, maxPositives, PureMechanisms.optimal(release, Variant.ADAPTIVE), 0.05)
                    .description();
        }
    }

    static Stream<Setting> settings() {
        return allSettings().filter(setting -> setting.maxPositives() < MOST_POSITIVES);
    }

    static Stream<Setting> longestSettings() {
        return allSettings().filter(setting -> setting.maxPositives() == MOST_POSITIVES);
    }

    private static Stream<Setting> allSettings() {
        List<Setting> settings = new ArrayList<>();
        for (boolean monotone : new boolean[] {true, false}) {
            for (boolean gaps : new boolean[] {true, false}) {
                for (int c = 1; c <= MOST_POSITIVES; c++) {
                    settings.add(new Setting(monotone, monotone == gaps ? 1 + c % 2 : 2 - c % 2, c, gaps));
                }
            }
        }
        return settings.stream();
    }

    private static int closePositives(Description stated) {
        return (int) Objects.requireNonNull(stated.parameters().get("closePositives"));
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("longestSettings")
    void losesAtMostEpsilonOnTheLongestTranscripts(Setting setting) {
        losesAtMostEpsilonAndAllOfItWhereThePositivesTakeAllThereIs(setting);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void losesAtMostEpsilonAndAllOfItWhereThePositivesTakeAllThereIs(Setting setting) {
        Description stated = setting.stated();
        int closePositives = closePositives(stated);
        double worst = 0;
        for (List<Outcome> positives : endings(setting.maxPositives(), closePositives)) {
            worst = Math.max(worst, worst(stated, positives, setting.monotone(), setting.maxRows(), setting.gaps()));
        }
        assertThat(worst).isLessThanOrEqualTo(ROUNDING).isGreaterThan(0.99);
    }

    /** For every transcript that the rules of the scan allow, its positives. */
    private static List<List<Outcome>> endings(int maxPositives, int closePositives) {
        List<List<Outcome>> open = new ArrayList<>(List.of(List.of()));
        List<List<Outcome>> all = new ArrayList<>();
        while (!open.isEmpty()) {
            List<Outcome> positives = open.removeLast();
            all.add(positives);
            int spent = positives.stream()
                    .mapToInt(found -> found == Outcome.CLOSE ? 2 : 1)
                    .sum();
            // The scan halts where another close positive could not be paid.
            if (positives.size() < maxPositives && spent + 2 <= 2 * closePositives) {
                for (Outcome found : List.of(Outcome.CLEAR, Outcome.CLOSE)) {
                    List<Outcome> more = new ArrayList<>(positives);
                    more.add(found);
                    open.add(more);
                }
            }
        }
        return all;
    }

    /** The largest loss of negatives and then these positives, over all {@link ExactTranscripts#neighbors}. */
    private static double worst(
            Description stated, List<Outcome> positives, boolean monotone, int delta, boolean gaps) {
        ExactTranscripts exact = ExactTranscripts.of(stated);
        long margin = Math.round(ExactTranscripts.scale(stated, "margin"));
        long far = delta * (long) Math.ceil(ExactTranscripts.scale(stated, "comparisonScale") * 5 / delta);
        double worst = 0;
        for (int negatives : new int[] {0, 30, 20_000}) {
            for (long low : new long[] {-far, 0}) {
                for (long high : new long[] {-far, 0, far}) {
                    for (long gap :
                            gaps ? new long[] {0, 7, margin, margin + 3} : new long[] {ExactTranscripts.NO_GAP}) {
                        List<Step> shape = shape(negatives, low, high, gap, margin, positives);
                        for (List<Step> neighbor : ExactTranscripts.neighbors(shape, monotone, delta)) {
                            worst = Math.max(worst, exact.loss(shape, neighbor));
                        }
                    }
                }
            }
        }
        return worst;
    }

    private static List<Step> shape(
            int negatives, long low, long high, long gap, long margin, List<Outcome> positives) {
        List<Step> steps = new ArrayList<>();
        if (negatives > 0) {
            steps.add(ExactTranscripts.below(low, negatives));
        }
        for (Outcome found : positives) {
            // The gap of a clear positive is at least the margin.
            long shown = found == Outcome.CLEAR && gap != ExactTranscripts.NO_GAP ? Math.max(gap, margin) : gap;
            steps.add(new Step(high, found, 1, shown));
        }
        return steps;
    }

    @ParameterizedTest
    @CsvSource({"'', 0, 0.4", "A, 0, 0.55", "B, 0, 0.7", "AB, 0, 0.85", "BB, 0, 1", "AAA, 0, 0.85", "BB, 5, 1"})
    void losesWhatItsOwnPositivesCost(String positives, int shift, double price) {
        // Epsilon 0.4 for the threshold, 0.15 for a clear positive, 0.3 for a close one; two close ones can be paid.
        double coarse = 2 / 0.15;
        Description stated = Description.discreteLaplace("adaptive")
                .withSteps("thresholdScale", BigDecimal.valueOf(1 / 0.4))
                .withSteps("coarseScale", BigDecimal.valueOf(coarse))
                .withSteps("comparisonScale", BigDecimal.valueOf(2 / 0.3))
                .withSteps("margin", BigDecimal.valueOf(Math.ceil(2 * Math.sqrt(2) * coarse) + shift));
        List<Outcome> found = positives
                .chars()
                .mapToObj(letter -> letter == 'A' ? Outcome.CLEAR : Outcome.CLOSE)
                .toList();
        double worst = worst(stated, found, false, 1, false);
        assertThat(worst).isEqualTo(price, within(0.005)).isLessThanOrEqualTo(price * ROUNDING);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void allProbabilitiesAddUp(Setting setting) {
        // This checks the arithmetic above: three statistics, with every outcome of each until the scan halts.
        Description stated = setting.stated();
        ExactTranscripts exact = ExactTranscripts.of(stated);
        int closePositives = closePositives(stated);
        assertThat(total(exact, new ArrayList<>(), setting.maxPositives(), closePositives))
                .isEqualTo(1, within(1e-9));
    }

    private static double total(ExactTranscripts exact, List<Step> steps, int maxPositives, int closePositives) {
        int spent = 0;
        int positives = 0;
        for (Step step : steps) {
            positives += step.positive() ? 1 : 0;
            spent += step.outcome() == Outcome.CLOSE ? 2 : step.positive() ? 1 : 0;
        }
        if (steps.size() == 3 || positives == maxPositives || spent + 2 > 2 * closePositives) {
            return exact.probability(steps);
        }
        double total = 0;
        for (Outcome outcome : List.of(Outcome.NEGATIVE, Outcome.CLEAR, Outcome.CLOSE)) {
            List<Step> more = new ArrayList<>(steps);
            more.add(new Step(5L * steps.size() - 4, outcome, 1, ExactTranscripts.NO_GAP));
            total += total(exact, more, maxPositives, closePositives);
        }
        return total;
    }
}
