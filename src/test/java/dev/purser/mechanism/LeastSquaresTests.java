package dev.purser.mechanism;

import dev.purser.mechanism.CellWeights.Run;
import dev.purser.mechanism.LinearError.Part;
import dev.purser.mechanism.Precision.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Estimates and variances against vectors, and against the normal equations solved with matrices. */
class LeastSquaresTests {
    static final List<SynopsisShapes.Shape> SHAPES = SynopsisShapes.LAPLACE;

    private static final Offset<Double> CLOSE = Offset.offset(1e-9);

    private static double variance(LinearError error, CellWeights weights, Run... runs) {
        return error.variance(List.of(new Part(weights, List.of(runs))));
    }

    /** Four cells under two pairs and a root, all with a variance of 1. */
    @Test
    void aTreeOfFourCellsIsAsComputedByHand() {
        Hierarchy column = Hierarchy.tree(4, 2);
        assertThat(column.widths()).containsExactly(1, 2, 4);
        Precision precision = new Precision(
                List.of(column),
                Stream.of(0, 1, 2)
                        .map(level -> new Measurement(new Grain(List.of(level)), 1, 0))
                        .toList());
        List<long[]> noisy = List.of(new long[] {3, 1, 4, 1}, new long[] {5, 6}, new long[] {9});
        double[] cells = new ConsistentTables(precision, noisy.stream()).cells(new Grain(List.of(0)));
        assertThat(cells).containsExactly(new double[] {66 / 21.0, 24 / 21.0, 87 / 21.0, 24 / 21.0}, CLOSE);
        assertThat(cells[1] + cells[2]).isCloseTo(5.285714, Offset.offset(1e-6));

        CellWeights ones = CellWeights.ones(column);
        LinearError error = new LinearError(precision, List.of(0));
        double ofCell = variance(error, ones, new Run(0, 1));
        assertThat(ofCell).isCloseTo(13 / 21.0, CLOSE);
        assertThat((variance(error, ones, new Run(0, 2)) - 2 * ofCell) / 2).isCloseTo(-8 / 21.0, CLOSE);
        assertThat((variance(error, ones, new Run(0, 1), new Run(3, 4)) - 2 * ofCell) / 2)
                .isCloseTo(-1 / 21.0, CLOSE);
        assertThat(variance(error, ones, new Run(1, 3))).isCloseTo(1.142857, Offset.offset(1e-6));
    }

    /** Both columns alone and together, all with a variance of 1. */
    @Test
    void tablesOfTwoByTwoAreAsComputedByHand() {
        List<Hierarchy> columns = List.of(Hierarchy.flat(2), Hierarchy.flat(2));
        Precision precision = new Precision(
                columns,
                Stream.of(List.of(0, 1), List.of(1, 0), List.of(0, 0))
                        .map(levels -> new Measurement(new Grain(levels), 1, 0))
                        .toList());
        assertThat(4 * precision.of(new Grain(List.of(1, 1)))).isCloseTo(4 * 1.25, CLOSE);
        List<long[]> noisy = List.of(new long[] {12, 8}, new long[] {7, 14}, new long[] {5, 6, 3, 7});
        ConsistentTables tables = new ConsistentTables(precision, noisy.stream());
        Offset<Double> shown = Offset.offset(1e-6);
        assertThat(tables.cells(new Grain(List.of(0, 0))))
                .containsExactly(new double[] {5.066667, 6.733333, 2.066667, 6.733333}, shown);
        assertThat(tables.cells(new Grain(List.of(0, 1)))).containsExactly(new double[] {11.8, 8.8}, shown);
        assertThat(tables.cells(new Grain(List.of(1, 1)))).containsExactly(new double[] {20.6}, shown);

        Part first = new Part(CellWeights.ones(columns.get(0)), List.of(new Run(0, 1)));
        Part second = new Part(CellWeights.ones(columns.get(1)), List.of(new Run(1, 2)));
        assertThat(new LinearError(precision, List.of(0, 1)).variance(List.of(first, second)))
                .isCloseTo(0.466667, shown);
        assertThat(new LinearError(precision, List.of(0)).variance(List.of(first)))
                .isCloseTo(0.533333, shown);
        assertThat(new LinearError(precision, List.of()).variance(List.of())).isCloseTo(0.8, shown);
    }

    @ParameterizedTest
    @FieldSource("SHAPES")
    void estimatesOfAllTablesSolveTheNormalEquations(SynopsisShapes.Shape shape) {
        DenseLeastSquares dense = shape.dense();
        long[] noisy = new SplittableRandom(7).longs(dense.size(), -50, 100).toArray();
        List<long[]> tables = new ArrayList<>();
        int read = 0;
        for (Measurement table : shape.measured()) {
            int nodes = Math.toIntExact(table.grain().nodes(shape.columns()));
            tables.add(
                    IntStream.range(read, read + nodes).mapToLong(i -> noisy[i]).toArray());
            read += nodes;
        }
        assertThat(read).isEqualTo(dense.size());
        ConsistentTables consistent = new ConsistentTables(shape.precision(), tables.stream());
        double[] asDoubles =
                IntStream.range(0, noisy.length).mapToDouble(i -> noisy[i]).toArray();
        for (List<Integer> divided : shape.divided()) {
            double[] estimates = consistent.cells(Grain.cellsOf(shape.columns(), divided));
            for (int i = 0; i < estimates.length; i++) {
                int[] place = place(shape, divided, i);
                double[] question = dense.question(cell ->
                        IntStream.range(0, place.length).allMatch(column -> cell[divided.get(column)] == place[column])
                                ? 1
                                : 0);
                assertThat(estimates[i])
                        .as("%s, columns %s, cell %d", shape, divided, i)
                        .isCloseTo(dense.estimate(question, asDoubles), CLOSE);
            }
        }
    }

    /** The place of a cell of a table. The place in the last column of the table changes fastest. */
    private static int[] place(SynopsisShapes.Shape shape, List<Integer> divided, int cell) {
        int[] place = new int[divided.size()];
        int rest = cell;
        for (int column = place.length - 1; column >= 0; column--) {
            int nodes = shape.columns().get(divided.get(column)).nodes(0);
            place[column] = rest % nodes;
            rest /= nodes;
        }
        return place;
    }

    @ParameterizedTest
    @FieldSource("SHAPES")
    void variancesOfAllPairsOfCellsAreThoseOfTheInverse(SynopsisShapes.Shape shape) {
        for (List<Integer> divided :
                shape.divided().stream().filter(each -> each.size() == 1).toList()) {
            DenseLeastSquares dense = shape.dense();
            Hierarchy column = shape.columns().get(divided.getFirst());
            LinearError error = new LinearError(shape.precision(), divided);
            for (int one = 0; one < column.cells(); one++) {
                for (int other = one; other < column.cells(); other++) {
                    double[] weights = new double[column.cells()];
                    weights[one] = 1;
                    weights[other] -= 3;
                    double[] question = dense.question(cell -> {
                        int own = cell[divided.getFirst()];
                        return own < weights.length ? weights[own] : 0;
                    });
                    assertThat(variance(error, CellWeights.of(column, weights), new Run(0, column.cells())))
                            .as("%s, cells %d and %d", shape, one, other)
                            .isCloseTo(dense.variance(question), CLOSE);
                }
            }
        }
    }

    @Test
    void refusesTablesThatNothingMeasuredTellsOf() {
        Strategy singles = Marginals.of(List.of(2, 3), 1);
        Precision precision = new Precision(
                singles.columns(),
                singles.candidates().stream()
                        .map(grain -> new Measurement(grain, 1, 0))
                        .toList());
        assertThatIllegalArgumentException().isThrownBy(() -> new LinearError(precision, List.of(0, 1)));
    }
}
