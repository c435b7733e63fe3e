package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Step;
import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The loss of a transcript that shows each positive's gap, by summation from the scales that the mechanism states. The
 * lists have negatives and then positives, which all move by the sensitivity, up, down or not at all.
 */
class GapExactLossTests {
    private static final double ROUNDING = 1 + 1e-9;
    private static final Epsilon EPSILON = Epsilon.parse("1");

    private static SparseVector mechanism(
            Allocation allocation, Variant variant, boolean monotone, int maxPositives, int maxRows) {
        Neighborhood neighborhood = monotone ? SmallData.addOrRemoveUnit(maxRows) : SmallData.replaceUnit(maxRows);
        ThresholdQueries queries =
                ThresholdQueries.ofCounts(List.of(new Statistic.Count(0, false, 0, 1)), 0, neighborhood);
        return PureMechanisms.sparse(EPSILON, queries, maxPositives, new Form(Release.GAPS, allocation, variant), 0.05);
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIMAL, SINGLE_THRESHOLD, true, 1, 1",
        "OPTIMAL, SINGLE_THRESHOLD, false, 1, 1",
        "OPTIMAL, SINGLE_THRESHOLD, true, 3, 1",
        "OPTIMAL, SINGLE_THRESHOLD, false, 2, 2",
        "OPTIMAL, SINGLE_THRESHOLD, false, 3, 1",
        "OPTIMAL, RESTART, true, 2, 1",
        "OPTIMAL, RESTART, true, 3, 2",
        "OPTIMAL, RESTART, false, 2, 2",
        "OPTIMAL, RESTART, false, 3, 1",
        "OPTIMAL, ONE_SIDED, true, 1, 1",
        "OPTIMAL, ONE_SIDED, false, 1, 2",
        "OPTIMAL, ONE_SIDED, true, 2, 2",
        "OPTIMAL, ONE_SIDED, false, 2, 1",
        "OPTIMAL, ONE_SIDED, true, 3, 1",
        "OPTIMAL, ONE_SIDED, false, 3, 1",
        "TEXTBOOK, AUTOMATIC, true, 1, 1",
        "TEXTBOOK, AUTOMATIC, false, 3, 1"
    })
    void gapsCostNothingMore(Allocation allocation, Variant variant, boolean monotone, int maxPositives, int maxRows) {
        Description stated =
                mechanism(allocation, variant, monotone, maxPositives, maxRows).description();
        ExactTranscripts exact = ExactTranscripts.of(stated);
        double worst = 0;
        for (int negatives : new int[] {0, 1, 30, 20_000}) {
            for (long low : new long[] {-40, -1, 0}) {
                for (long high : new long[] {-60, 0, 40}) {
                    for (long gap : new long[] {0, 1, 25}) {
                        List<Step> shape = shape(negatives, low, high, gap, maxPositives);
                        for (List<Step> neighbor : ExactTranscripts.neighbors(shape, monotone, maxRows)) {
                            worst = Math.max(worst, exact.loss(shape, neighbor));
                        }
                    }
                }
            }
        }
        assertThat(worst).isLessThanOrEqualTo(ROUNDING);
        // With the textbook's even split, a monotone list loses less than it is charged.
        assertThat(worst).isGreaterThan(allocation == Allocation.TEXTBOOK && monotone ? 0.74 : 0.99);
    }

    private static List<Step> shape(int negatives, long low, long high, long gap, int positives) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < positives; i++) {
            if (negatives > 0) {
                steps.add(ExactTranscripts.below(low, negatives));
            }
            steps.add(ExactTranscripts.aboveBy(high, gap));
        }
        return steps;
    }

    @Test
    void theNoisyValueItselfWouldCostWithoutBound() {
        // In place of the gap, the twin shows the noisy value that the comparison used. One positive after 500
        // negatives.
        Description stated = mechanism(Allocation.OPTIMAL, Variant.SINGLE_THRESHOLD, false, 1, 1)
                .description();
        double loss = Math.log(valueAfterNegatives(stated, 500, 0)) - Math.log(valueAfterNegatives(stated, 500, 1));
        assertThat(loss).isGreaterThan(10);
    }

    /** The probability of this many negatives of this excess, then a positive of excess 0 that shows the value 0. */
    private static double valueAfterNegatives(Description stated, int negatives, long excess) {
        DiscreteLaplacePmf threshold = new DiscreteLaplacePmf(ExactTranscripts.scale(stated, "thresholdScale"));
        DiscreteLaplacePmf comparison = new DiscreteLaplacePmf(ExactTranscripts.scale(stated, "comparisonScale"));
        double total = 0;
        for (long rho = -400; rho <= 0; rho++) {
            total += threshold.probability(rho)
                    * Math.pow(comparison.atMost(rho - excess - 1), negatives)
                    * comparison.probability(0);
        }
        return total;
    }
}
