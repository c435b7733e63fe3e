package dev.purser.mechanism;

import dev.purser.mechanism.NoisySynopsis.Contents;
import dev.purser.noise.DiscreteGaussianPmf;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.noise.NoisePmf;
import dev.purser.privacy.Neighborhood;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Audits of synopses. Column 0 has the value; the others have the cell of each column of the synopsis. */
final class SynopsisAudits {
    private static final Contents COUNTS = Contents.counts(false);

    /** Two columns of two cells, each a table of its own. */
    private static final NoisySynopsis.Plan SINGLES = NoisySynopsis.Plan.ofMarginals(List.of(2, 2), 1);

    /** The half of rho 0.462 that the tables of one column have. */
    private static final double HALF_OF_RHO = Math.tanh(0.5) / 2;

    private static final int FARTHEST = 60;

    private SynopsisAudits() {}

    /** The tables that a synopsis collects of all rows. */
    static SmallData data(NoisySynopsis synopsis) {
        return new SmallData(synopsis.collected().stream()
                .map(divided -> view(synopsis, divided))
                .toList());
    }

    private static SmallData.View view(NoisySynopsis synopsis, List<Integer> divided) {
        int[] cells = divided.stream()
                .mapToInt(column -> synopsis.columns().get(column).cells())
                .toArray();
        return new SmallData.View(0, row -> true, Arrays.stream(cells).reduce(1, (one, other) -> one * other), row -> {
            int group = 0;
            for (int i = 0; i < cells.length; i++) {
                group = group * cells[i] + (int) row[divided.get(i) + 1];
            }
            return group;
        });
    }

    /** All rows of a unit enter the second cells; where units are replaced, they leave the first ones. */
    static Pair fromFirstToSecond(Neighborhood neighborhood) {
        return Pair.of(neighborhood, List.of(), new long[] {0, 0, 0}, new long[] {0, 1, 1});
    }

    /** Counts of both cells of both columns. Each column has half of epsilon. */
    static NoisySynopsis counts(String epsilon, Neighborhood neighborhood) {
        return ServedMechanisms.synopsis(epsilon, SINGLES, COUNTS, neighborhood);
    }

    /** The same counts with epsilon 1. The event is that all are on the near side. */
    static AuditCase counts(Neighborhood neighborhood) {
        int entered = SmallData.maxRows(neighborhood);
        int left = SmallData.moved(neighborhood);
        NoisySynopsis synopsis = counts("1", neighborhood);
        NoisePmf noise = new DiscreteLaplacePmf(2 * (entered + left));
        return new AuditCase(
                new Audit<>(
                        synopsis,
                        data(synopsis),
                        fromFirstToSecond(neighborhood),
                        answer -> answer.tables().stream().allMatch(table -> table[1] <= 0 && table[0] >= left)),
                () -> new AuditCase.Probabilities(
                        Math.pow(noise.atMost(0) * noise.atLeast(0), 2),
                        Math.pow(noise.atMost(-entered) * noise.atLeast(left), 2)));
    }

    /** The same with Gaussian noise of rho 0.462: what moves is together as far on the near side as it can move. */
    static AuditCase gaussianCounts(Neighborhood neighborhood) {
        int entered = SmallData.maxRows(neighborhood);
        int left = SmallData.moved(neighborhood);
        NoisySynopsis synopsis = ServedMechanisms.gaussianSynopsis(SINGLES, COUNTS, neighborhood);
        int most = -2 * (entered + 2 * left);
        int noises = left == 0 ? 2 : 4;
        return new AuditCase(
                new Audit<>(
                        synopsis,
                        data(synopsis),
                        fromFirstToSecond(neighborhood),
                        answer -> answer.tables().stream()
                                        .mapToLong(table -> table[1] - (left == 0 ? 0 : table[0]))
                                        .sum()
                                <= most),
                () -> {
                    double squaredL2 = (double) entered * entered + left * left;
                    NoisePmf noise = new DiscreteGaussianPmf(squaredL2 / (2 * HALF_OF_RHO));
                    return new AuditCase.Probabilities(
                            sumAtMost(noise, noises, most + 2 * left), sumAtMost(noise, noises, most - 2 * entered));
                });
    }

    /** P(X_1 + … + X_n ≤ most), added up. */
    private static double sumAtMost(NoisePmf noise, int noises, int most) {
        int reach = FARTHEST * noises;
        double[] sums = new double[2 * reach + 1];
        sums[reach] = 1;
        for (int i = 0; i < noises; i++) {
            double[] next = new double[sums.length];
            for (int sum = FARTHEST; sum < sums.length - FARTHEST; sum++) {
                for (int x = -FARTHEST; sums[sum] > 0 && x <= FARTHEST; x++) {
                    next[sum + x] += sums[sum] * noise.probability(x);
                }
            }
            sums = next;
        }
        return Arrays.stream(sums, 0, reach + most + 1).sum();
    }

    /** A row is added to the last of 64 cells, epsilon 1: its node of each level is 1 at least. */
    static AuditCase everyLevelOfATree() {
        NoisySynopsis synopsis = ServedMechanisms.synopsis(
                "1", NoisySynopsis.Plan.ofRanges(List.of(64)), COUNTS, SmallData.ADD_OR_REMOVE_ROW);
        List<NoisePmf> noises = synopsis.tables().stream()
                .<NoisePmf>map(table ->
                        new DiscreteLaplacePmf(1 / Double.parseDouble(Objects.requireNonNull(table.epsilon()))))
                .toList();
        return new AuditCase(
                new Audit<>(
                        synopsis,
                        data(synopsis),
                        new Pair(List.of(new long[] {0, 63}), List.of()),
                        answer -> IntStream.range(0, noises.size())
                                .allMatch(level -> answer.tables().get(level)[level == 0 ? 63 : 3] >= 1)),
                () -> new AuditCase.Probabilities(
                        noises.stream().mapToDouble(noise -> noise.atLeast(0)).reduce(1, (p, q) -> p * q),
                        noises.stream().mapToDouble(noise -> noise.atLeast(1)).reduce(1, (p, q) -> p * q)));
    }

    /**
     * A tree of four cells that has a row, or none, rho 0.462: all three tables are there, and the root is 1 at least.
     */
    static AuditCase aRootThatMayBeEmpty() {
        NoisySynopsis synopsis = ServedMechanisms.gaussianSynopsis(
                NoisySynopsis.Plan.ofRanges(List.of(4)), COUNTS, SmallData.ADD_OR_REMOVE_ROW);
        double rho = Double.parseDouble(
                Objects.requireNonNull(synopsis.tables().getLast().rho()).toString());
        NoisePmf noise = new DiscreteGaussianPmf(1 / (2 * rho));
        return new AuditCase(
                new Audit<>(
                        synopsis,
                        data(synopsis),
                        new Pair(List.of(new long[] {0, 2}), List.of()),
                        answer -> answer.tables().size() == 3 && answer.tables().get(2)[0] >= 3),
                () -> new AuditCase.Probabilities(noise.atLeast(2), noise.atLeast(3)));
    }

    /** A sum in [10, 20] of one cell, epsilon 1, where a replaced row of 20 enters the filter: 20 at least. */
    static AuditCase aSumOfARowEnteringTheFilter() {
        NoisySynopsis synopsis = ServedMechanisms.synopsis(
                "1", NoisySynopsis.Plan.ofRanges(List.of(1)), new Contents(true, 10, 20), SmallData.REPLACE_ROW);
        NoisePmf noise = new DiscreteLaplacePmf(40);
        return new AuditCase(
                new Audit<>(
                        synopsis,
                        new SmallData(List.of(new SmallData.View(0, row -> row[1] == 0))),
                        new Pair(List.of(new long[] {20, 0}), List.of(new long[] {20, 1})),
                        answer -> answer.tables().getFirst()[0] >= 20),
                () -> new AuditCase.Probabilities(noise.atLeast(0), noise.atLeast(20)));
    }
}
