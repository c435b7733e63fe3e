package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Step;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

/** What restarts cost where rhos add up, from exact probabilities, and when they are the better variant. */
class RestartByRhoTests {
    private static final double[] ORDERS = {1.01, 1.5, 2, 3, 8, 32, 200};

    private static SparseVector mechanism(
            PrivacyAllowance allowance, Release release, Variant variant, int size, int c, boolean monotone) {
        List<Statistic.Count> counts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            counts.add(new Statistic.Count(0, false, 2L * i, 2L * i + 1));
        }
        ThresholdQueries queries =
                ThresholdQueries.ofCounts(counts, 0, monotone ? SmallData.ADD_OR_REMOVE_ROW : SmallData.REPLACE_ROW);
        return new SparseVector(allowance, queries, c, PureMechanisms.optimal(release, variant), 0.05);
    }

    /** The epsilon of one run, as its two scales say; the sensitivity is 1. */
    private static double ofOneRun(Description stated, boolean monotone) {
        return 1 / ExactTranscripts.scale(stated, "thresholdScale")
                + (monotone ? 1 : 2) / ExactTranscripts.scale(stated, "comparisonScale");
    }

    @ParameterizedTest
    @CsvSource({"1, 10, true", "1, 10, false", "3, 2, false", "8, 3, true", "0.1, 100, false"})
    void keepsTheRhoOfTheWhole(String epsilon, int c, boolean monotone) {
        PrivacyAllowance.Concentrated allowance = new PrivacyAllowance.Concentrated(Epsilon.parse(epsilon));
        SparseVector mechanism = mechanism(allowance, Release.INDICES, Variant.RESTART, 3, c, monotone);
        assertThat(mechanism.event()).isEqualTo(new PrivacyEvent.ConcentratedDifferentialPrivacy(allowance.rho()));
        Description stated = mechanism.description();
        double whole = Double.parseDouble(epsilon);
        double rho = whole * Math.tanh(whole / 2);
        double each = ofOneRun(stated, monotone);
        // Rho is rounded up to 1e-12 in the whole and down to it in the parts, epsilon down to 1e-9.
        assertThat(c * each * Math.tanh(each / 2))
                .isLessThanOrEqualTo(rho + 2e-12)
                .isGreaterThan(rho * (1 - 1e-4));

        // One run under every order, from the exact distributions of neighbouring lists: at most order · rho / c.
        ExactTranscripts exact =
                new ExactTranscripts(scale(stated, "thresholdScale"), scale(stated, "comparisonScale"), false);
        double worst = 0;
        for (List<Long> list : lists()) {
            for (List<Long> neighbor : lists()) {
                if (areNeighbors(list, neighbor, monotone)) {
                    double[] p = ofOneRun(exact, list);
                    double[] q = ofOneRun(exact, neighbor);
                    for (double order : ORDERS) {
                        double ofAll = c * renyi(order, p, q);
                        assertThat(ofAll).isLessThanOrEqualTo(order * (rho + 2e-12) * (1 + 1e-9));
                        worst = Math.max(worst, ofAll / order / rho);
                    }
                }
            }
        }
        // A Rényi divergence averages over transcripts, and few transcripts of three statistics are the worst ones.
        assertThat(worst).as("the lists bite").isGreaterThan(0.05);
    }

    private static double scale(Description stated, String parameter) {
        return ExactTranscripts.scale(stated, parameter);
    }

    /** All lists of three excesses of −2 … 1. */
    private static List<List<Long>> lists() {
        List<List<Long>> lists = new ArrayList<>();
        for (int code = 0; code < 64; code++) {
            lists.add(List.of(code % 4 - 2L, code / 4 % 4 - 2L, code / 16 - 2L));
        }
        return lists;
    }

    private static boolean areNeighbors(List<Long> list, List<Long> other, boolean monotone) {
        boolean up = false;
        boolean down = false;
        for (int i = 0; i < list.size(); i++) {
            long move = other.get(i) - list.get(i);
            if (Math.abs(move) > 1) {
                return false;
            }
            up |= move > 0;
            down |= move < 0;
        }
        return !monotone || !up || !down;
    }

    /** The probabilities of the first positive at 0, 1, 2, and of none. */
    private static double[] ofOneRun(ExactTranscripts exact, List<Long> list) {
        double[] probabilities = new double[list.size() + 1];
        List<Step> negatives = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            List<Step> found = new ArrayList<>(negatives);
            found.add(ExactTranscripts.above(list.get(i)));
            probabilities[i] = exact.probability(found);
            negatives.add(ExactTranscripts.below(list.get(i), 1));
        }
        probabilities[list.size()] = exact.probability(negatives);
        return probabilities;
    }

    private static double renyi(double order, double[] p, double[] q) {
        double sum = 0;
        for (int i = 0; i < p.length; i++) {
            sum += p[i] * Math.exp((order - 1) * (Math.log(p[i]) - Math.log(q[i])));
        }
        return Math.log(sum) / (order - 1);
    }

    @ParameterizedTest
    @CsvSource({"10, 0.0698", "50, 0.0312", "100, 0.0221", "1000, 0.0070"})
    void givesARunOfAnEpsilonAndADeltaWhatRhoAllows(int c, double each) {
        PrivacyAllowance allowance = new PrivacyAllowance.Approximate(Epsilon.parse("1"), Delta.parse("0.000001"));
        Description stated = mechanism(allowance, Release.INDICES, Variant.RESTART, 3, c, false)
                .description();
        // Basic composition gives 1/c. For all but c = 10, this is less than what rho allows.
        double basic = 1.0 / c;
        assertThat(ofOneRun(stated, false)).isEqualTo(Math.max(basic, each), within(6e-5));
    }

    // The bounds of both variants were computed apart, from the formulas in the notes with continuous shares of beta.
    @ParameterizedTest
    @CsvSource({
        "pure, 1, true, 100, 1, single, 22, 22",
        "pure, 1, false, 100, 3, single, 74, 111",
        "pure, 1, false, 10000, 10, single, 304, 552",
        "pure, 1, false, 10000, 1000, single, 24220, 67140",
        "approximate, 1, true, 100, 10, single, 111, 271",
        "approximate, 1, true, 100, 150, single, 1241, 1807",
        "approximate, 1, true, 100, 1000, restart, 7617, 5211",
        "approximate, 1, false, 10000, 100, single, 2575, 2772",
        "approximate, 1, false, 10000, 150, restart, 3804, 3453",
        "approximate, 0.1, false, 10000, 85, single, 22045, 22107",
        "approximate, 0.1, false, 10000, 100, restart, 25755, 24145",
        "zcdp, 1, true, 100, 1, single, 22, 22",
        "zcdp, 1, true, 100, 2, single, 34, 34",
        "zcdp, 1, true, 100, 5, restart, 65, 59",
        "zcdp, 1, true, 10000, 2, restart, 49, 47",
        "zcdp, 1, false, 100, 1000, restart, 14951, 1714",
        "zcdp, 4, true, 100, 10, single, 27, 29",
        "zcdp, 4, true, 10000, 10, restart, 41, 40",
        "zcdp, 4, false, 100, 5, single, 27, 28",
        "zcdp, 4, false, 10000, 5, restart, 41, 40"
    })
    void arePickedWhereTheirBoundIsTheLesser(
            String accountant,
            String epsilon,
            boolean monotone,
            int k,
            int c,
            String better,
            double singleAlpha,
            double restartAlpha) {
        Epsilon asked = Epsilon.parse(epsilon);
        PrivacyAllowance allowance = switch (accountant) {
            case "pure" -> new PrivacyAllowance.Pure(asked);
            case "approximate" -> new PrivacyAllowance.Approximate(asked, Delta.parse("0.000001"));
            default -> new PrivacyAllowance.Concentrated(asked);
        };
        SparseVector single = mechanism(allowance, Release.INDICES, Variant.SINGLE_THRESHOLD, k, c, monotone);
        SparseVector restart = mechanism(allowance, Release.INDICES, Variant.RESTART, k, c, monotone);
        SparseVector picked = mechanism(allowance, Release.INDICES, Variant.AUTOMATIC, k, c, monotone);
        assertThat(single.alphaSteps().doubleValue()).isCloseTo(singleAlpha, withinPercentage(1));
        assertThat(restart.alphaSteps().doubleValue()).isCloseTo(restartAlpha, withinPercentage(1));
        assertThat(picked.description())
                .isEqualTo(better.equals("single") ? single.description() : restart.description());
        assertThat(picked.alphaSteps()).isEqualTo(single.alphaSteps().min(restart.alphaSteps()));
        assertThat(picked.event()).isEqualTo(better.equals("single") ? single.event() : allowance.event());
        assertThat(single.event()).isEqualTo(new PrivacyEvent.PureDifferentialPrivacy(asked));
    }

    @Test
    void haveTheLargerSpreadUpToEightyPositivesOfAnEpsilonAndADelta() {
        PrivacyAllowance allowance = new PrivacyAllowance.Approximate(Epsilon.parse("1"), Delta.parse("0.000001"));
        for (int c : new int[] {2, 10, 50, 78, 82, 100}) {
            double single = spread(mechanism(allowance, Release.INDICES, Variant.SINGLE_THRESHOLD, 3, c, false));
            double restart = spread(mechanism(allowance, Release.INDICES, Variant.RESTART, 3, c, false));
            assertThat(single < restart).as("c = %s", c).isEqualTo(c < 80);
        }
    }

    /** The standard deviation of the noise of a comparison minus the noise of the threshold. */
    private static double spread(SparseVector mechanism) {
        Description stated = mechanism.description();
        return Math.sqrt(2) * Math.hypot(scale(stated, "thresholdScale"), scale(stated, "comparisonScale"));
    }
}
