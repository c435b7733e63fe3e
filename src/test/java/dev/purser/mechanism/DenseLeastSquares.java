package dev.purser.mechanism;

import dev.purser.mechanism.Precision.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * Weighted least squares by the textbook, with a row of a matrix for every noisy node. This class knows widths and
 * levels, and does not know residuals. For cells that no measured table tells apart it takes the pseudo-inverse, which
 * is right for every question that the tables can answer.
 */
final class DenseLeastSquares {
    private final List<Hierarchy> columns;
    private final List<Measurement> measured;

    /** For each measured node, the cells that it has. */
    private final RealMatrix nodes;

    /** The weight of every node in the estimate of every cell. */
    private final RealMatrix estimator;

    private final RealMatrix covariance;

    DenseLeastSquares(List<Hierarchy> columns, List<Measurement> measured) {
        this.columns = columns;
        this.measured = measured;
        List<double[]> rows = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        for (Measurement table : measured) {
            for (int[] node : places(table.grain())) {
                rows.add(cells().stream()
                        .mapToDouble(cell -> holds(table.grain(), node, cell) ? 1 : 0)
                        .toArray());
                weights.add(1 / table.variance());
            }
        }
        nodes = new Array2DRowRealMatrix(rows.toArray(double[][]::new));
        RealMatrix weighted = nodes.copy();
        for (int i = 0; i < weights.size(); i++) {
            weighted.setRowVector(i, nodes.getRowVector(i).mapMultiply(weights.get(i)));
        }
        covariance = new SingularValueDecomposition(nodes.transpose().multiply(weighted))
                .getSolver()
                .getInverse();
        estimator = covariance.multiply(weighted.transpose());
    }

    /** Every cell, also the cells that hold nothing. The place in the last column changes fastest. */
    List<int[]> cells() {
        return places(new Grain(columns.stream().map(column -> 0).toList()));
    }

    /** Every node of a table. The place in the last column changes fastest. */
    private List<int[]> places(Grain grain) {
        List<int[]> places = List.of(new int[columns.size()]);
        for (int column = 0; column < columns.size(); column++) {
            int own = column;
            int size =
                    columns.get(column).widths().getLast() / columns.get(column).width(grain.level(column));
            places = places.stream()
                    .flatMap(place -> IntStream.range(0, size).mapToObj(i -> {
                        int[] next = place.clone();
                        next[own] = i;
                        return next;
                    }))
                    .toList();
        }
        return places;
    }

    private boolean holds(Grain grain, int[] node, int[] cell) {
        return IntStream.range(0, columns.size())
                .allMatch(column -> cell[column] / columns.get(column).width(grain.level(column)) == node[column]);
    }

    /** The number of noisy nodes. */
    int size() {
        return nodes.getRowDimension();
    }

    /** The estimate of a question. */
    double estimate(double[] question, double[] noisy) {
        return dot(coefficients(question), noisy);
    }

    /** The weight of every noisy node in the estimate of a question. */
    double[] coefficients(double[] question) {
        return estimator.preMultiply(question);
    }

    double variance(double[] question) {
        return dot(question, covariance.operate(question));
    }

    /** |c|·b of every noise of a question, with its weight c and its scale b. */
    double[] scales(double[] question) {
        double[] coefficients = coefficients(question);
        double[] scales = new double[coefficients.length];
        int node = 0;
        for (Measurement table : measured) {
            for (int i = places(table.grain()).size(); i > 0; i--) {
                scales[node] = Math.abs(coefficients[node]) * table.laplaceScale();
                node++;
            }
        }
        return scales;
    }

    /** A question, as the weight of every cell. */
    double[] question(ToDoubleFunction<int[]> weight) {
        return cells().stream().mapToDouble(weight).toArray();
    }

    private static double dot(double[] one, double[] other) {
        return IntStream.range(0, one.length)
                .mapToDouble(i -> one[i] * other[i])
                .sum();
    }
}
