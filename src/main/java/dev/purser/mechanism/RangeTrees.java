package dev.purser.mechanism;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The strategy for ranges of one or two columns. It measures nodes of trees over the cells. For one column, every level
 * of its tree is a candidate. For two columns, every pair of levels is a candidate. The flat grid of cells is one of
 * the pairs, and gets the whole allowance if that is best.
 *
 * <p>The workload is all ranges of the real cells, or all boxes. The branching is 16 under Laplace noise and 2 under
 * Gaussian noise, whose deviations add up more slowly. The argument is in {@code NoisySynopsis.md}. Source: Hay et al.
 * 2010; Qardaji et al. 2013.
 */
record RangeTrees(List<Hierarchy> columns, Map<Grain, Double> workload) implements Strategy {
    private static final int PURE_BRANCHING = 16;
    private static final int GAUSSIAN_BRANCHING = 2;

    static RangeTrees of(List<Integer> cells, boolean isPure) {
        List<Hierarchy> columns = cells.stream()
                .map(each -> Hierarchy.tree(each, isPure ? PURE_BRANCHING : GAUSSIAN_BRANCHING))
                .toList();
        List<double[]> energies = columns.stream().map(RangeTrees::meanEnergies).toList();
        Map<Grain, Double> workload = new HashMap<>();
        for (Grain grain : leaves(columns).coarser(columns)) {
            workload.put(grain, product(energies, grain));
        }
        return new RangeTrees(columns, workload);
    }

    private static Grain leaves(List<Hierarchy> columns) {
        return Grain.cellsOf(columns, IntStream.range(0, columns.size()).boxed().toList());
    }

    private static double product(List<double[]> byColumn, Grain grain) {
        return IntStream.range(0, byColumn.size())
                .mapToDouble(column -> byColumn.get(column)[grain.level(column)])
                .reduce(1, (one, other) -> one * other);
    }

    @Override
    public String name() {
        return columns.size() == 1 ? "range-tree" : "tree-product";
    }

    @Override
    public List<Grain> candidates() {
        return leaves(columns).coarser(columns);
    }

    @Override
    public List<Grain> collected() {
        return List.of(leaves(columns));
    }

    /** Uses the largest energy that any range has for each grain. One range does not reach all of these energies. */
    @Override
    public double worstVariance(Precision precision) {
        List<double[]> largest =
                columns.stream().map(RangeTrees::largestEnergies).toList();
        return workload.keySet().stream()
                .mapToDouble(grain -> product(largest, grain) / precision.of(grain))
                .sum();
    }

    /** By level, the mean over all ranges of the energy of the level's residual. */
    private static double[] meanEnergies(Hierarchy column) {
        double[] sums = new double[column.top() + 2];
        for (int level = 0; level <= column.top(); level++) {
            sums[level] = squaredOverlaps(column.cells(), column.width(level)) / column.width(level);
        }
        double ranges = column.cells() * (column.cells() + 1.0) / 2;
        double[] energies = new double[column.top() + 1];
        for (int level = 0; level <= column.top(); level++) {
            energies[level] = Math.max(0, sums[level] - sums[level + 1]) / ranges / column.nodes(0);
        }
        return energies;
    }

    /** The sum, over all ranges and all nodes of a width, of the squared number of cells that they share. */
    private static double squaredOverlaps(int cells, int width) {
        double sum = 0;
        for (long from = 0; from < cells; from += width) {
            long to = Math.min(from + width, cells);
            double own = to - from;
            double begins = from + 1;
            double ends = cells - to + 1;
            // The three terms are for ranges that hold the node, that end or begin in it, and that lie within it.
            sum += begins * ends * own * own;
            sum += (begins + ends) * squares(own - 1);
            sum += (own - 1) * squares(own - 2) - cubes(own - 2);
        }
        return sum;
    }

    private static double squares(double upTo) {
        return upTo < 1 ? 0 : upTo * (upTo + 1) * (2 * upTo + 1) / 6;
    }

    private static double cubes(double upTo) {
        return upTo < 1 ? 0 : Math.pow(upTo * (upTo + 1) / 2, 2);
    }

    /**
     * By level, the largest energy of a range. Below the top, a range covers at most two nodes of the next level in
     * part. If it covers k of the b children of such a node, their energy is k − k²/b times the width of a child.
     */
    private static double[] largestEnergies(Hierarchy column) {
        List<Double> energies = new ArrayList<>();
        for (int level = 0; level < column.top(); level++) {
            int branching = column.branching(level);
            int half = branching / 2;
            energies.add(2.0 * column.width(level) * half * (branching - half) / branching / column.nodes(0));
        }
        energies.add(Math.pow(1.0 * column.cells() / column.nodes(0), 2));
        return energies.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
