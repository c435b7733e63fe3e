package dev.purser.mechanism;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The least-squares estimate of all tables of a synopsis from its noisy tables. The estimated tables agree with each
 * other: each cell of a coarser table is the sum of its cells in a finer table. The estimate reads released numbers
 * alone, so it is post-processing.
 *
 * <p>First, all estimates of a node are averaged, weighted by the inverse of their variances. Then, column by column,
 * the nodes are estimated from coarse to fine. The estimate of a node is an equal part of its parent's estimate, plus
 * the difference between its own average and the mean of its siblings' averages. The argument is in
 * {@code NoisySynopsis.md}. Source: Hay et al. 2010, section 4, with weights; Xiao et al. 2023.
 */
public final class ConsistentTables {
    private final List<Hierarchy> columns;

    /** By grain, the weighted mean of the estimates of each node. */
    private final Map<Grain, double[]> means = new HashMap<>();

    /**
     * @param noisy the noisy nodes of each measured table, in the order of the precision's measurements; each table is
     *     read once
     */
    public ConsistentTables(Precision precision, Stream<long[]> noisy) {
        columns = precision.columns();
        for (Grain grain : precision.grains()) {
            means.put(grain, new double[Math.toIntExact(grain.nodes(columns))]);
        }
        Iterator<Precision.Measurement> tables = precision.measured().iterator();
        noisy.forEachOrdered(nodes -> {
            Precision.Measurement table = tables.next();
            double weight = 1 / (table.variance() * table.grain().nodes(columns));
            double[] sums = mean(table.grain());
            for (int i = 0; i < sums.length; i++) {
                sums[i] += weight * nodes[i];
            }
        });
        for (int column = 0; column < columns.size(); column++) {
            addToCoarser(column);
        }
        means.forEach((grain, nodes) -> scale(nodes, 1 / precision.of(grain)));
    }

    private double[] mean(Grain grain) {
        return Objects.requireNonNull(means.get(grain));
    }

    private static void scale(double[] numbers, double factor) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] *= factor;
        }
    }

    /** Adds to each grain the estimates of the grains that are finer in this column alone. */
    private void addToCoarser(int column) {
        List<Grain> finestFirst = means.keySet().stream()
                .filter(grain -> grain.level(column) < columns.get(column).top())
                .sorted(Comparator.comparing(grain -> grain.level(column)))
                .toList();
        for (Grain grain : finestFirst) {
            double[] coarser = mean(grain.with(column, grain.level(column) + 1));
            double[] more = summed(mean(grain), grain, column);
            for (int i = 0; i < coarser.length; i++) {
                coarser[i] += more[i];
            }
        }
    }

    /** The number of nodes of a table that have the same place in this column and in all columns before it. */
    private int inner(Grain grain, int column) {
        return IntStream.range(column + 1, columns.size())
                .map(each -> columns.get(each).nodes(grain.level(each)))
                .reduce(1, (one, other) -> one * other);
    }

    /** The sums of siblings in a column: the table that is one level coarser there. */
    private double[] summed(double[] nodes, Grain grain, int column) {
        int branching = columns.get(column).branching(grain.level(column));
        int inner = inner(grain, column);
        double[] sums = new double[nodes.length / branching];
        for (int i = 0; i < nodes.length; i++) {
            sums[i / (branching * inner) * inner + i % inner] += nodes[i];
        }
        return sums;
    }

    /**
     * The estimates of all cells of a table. The cells of the last column change fastest. They include cells that were
     * added to make a column regular.
     *
     * @param table a grain that divides each column into single cells or not at all
     */
    public double[] cells(Grain table) {
        Map<Grain, double[]> known = new HashMap<>();
        for (Grain grain : table.coarser(columns)) {
            known.put(grain, mean(grain));
        }
        for (int column : table.divided(columns)) {
            Map<Grain, double[]> refined = new HashMap<>();
            for (Grain grain : known.keySet()) {
                if (grain.level(column) == 0) {
                    refined.put(grain, refined(known, grain, column));
                }
            }
            known = refined;
        }
        return Objects.requireNonNull(known.get(table));
    }

    /** The estimates at the finest level of a column, from the estimates at all its levels. */
    private double[] refined(Map<Grain, double[]> known, Grain finest, int column) {
        int top = columns.get(column).top();
        double[] estimate = Objects.requireNonNull(known.get(finest.with(column, top)));
        for (int level = top - 1; level >= 0; level--) {
            Grain grain = finest.with(column, level);
            double[] own = Objects.requireNonNull(known.get(grain));
            double[] siblings = summed(own, grain, column);
            int branching = columns.get(column).branching(level);
            int inner = inner(grain, column);
            double[] finer = new double[own.length];
            for (int i = 0; i < finer.length; i++) {
                int parent = i / (branching * inner) * inner + i % inner;
                finer[i] = own[i] + (estimate[parent] - siblings[parent]) / branching;
            }
            estimate = finer;
        }
        return estimate;
    }
}
