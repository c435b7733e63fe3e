package dev.purser.mechanism;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The weights that a question gives to the cells of one column: a number for each cell, such as the cell's value or 1.
 * Sums over runs of cells, and over the squared sums of whole nodes, are computed beforehand.
 */
public final class CellWeights {
    private final Hierarchy column;

    /** The sum of the weights before each cell; null if all are 1. */
    private final double @Nullable [] before;

    /** The greatest difference of two weights, where a missing weight counts as 0. */
    private final double spread;

    /** By level, the sum of the squared sums of the nodes before each node. */
    private final List<double[]> squaresBefore = new ArrayList<>();

    /** Neighbouring cells: from {@code from} to {@code to}, exclusive. */
    public record Run(int from, int to) {
        public Run {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException("a run has a cell at least");
            }
        }
    }

    private CellWeights(Hierarchy column, double @Nullable [] before, double spread) {
        this.column = column;
        this.before = before;
        this.spread = spread;
        if (before != null) {
            for (int level = 0; level <= column.top(); level++) {
                double[] squares = new double[column.nodes(level) + 1];
                for (int node = 0; node < column.nodes(level); node++) {
                    double sum = sum(node * column.width(level), (node + 1) * column.width(level));
                    squares[node + 1] = squares[node] + sum * sum;
                }
                squaresBefore.add(squares);
            }
        }
    }

    /** Weights of 1. */
    public static CellWeights ones(Hierarchy column) {
        return new CellWeights(column, null, 1);
    }

    /** @param weights one for each real cell */
    public static CellWeights of(Hierarchy column, double[] weights) {
        double[] before = new double[column.nodes(0) + 1];
        for (int cell = 0; cell < column.nodes(0); cell++) {
            before[cell + 1] = before[cell] + (cell < weights.length ? weights[cell] : 0);
        }
        double least = Arrays.stream(weights).reduce(0, Math::min);
        double greatest = Arrays.stream(weights).reduce(0, Math::max);
        return new CellWeights(column, before, greatest - least);
    }

    /** The sum of the weights of these cells. */
    double sum(List<Run> runs) {
        return runs.stream().mapToDouble(run -> sum(run.from(), run.to())).sum();
    }

    /** An upper bound on each part of the weights that a level explains, whatever cells are taken. */
    double spread() {
        return spread;
    }

    private double sum(int from, int to) {
        return before == null ? to - from : before[to] - before[from];
    }

    private double squares(int level, int from, int to) {
        if (before == null) {
            return Math.pow(column.width(level), 2) * (to - from);
        }
        double[] squares = squaresBefore.get(level);
        return squares[to] - squares[from];
    }

    /**
     * By level, the energy of the weights of some cells: the squared length of the part that the level explains beyond
     * the next level, divided by the number of cells.
     *
     * @param runs ascending, without a cell in common
     */
    double[] energies(List<Run> runs) {
        double[] lengths = IntStream.rangeClosed(0, column.top() + 1)
                .mapToDouble(level -> level > column.top() ? 0 : squaredSums(runs, level) / column.width(level))
                .toArray();
        return IntStream.rangeClosed(0, column.top())
                .mapToDouble(level -> Math.max(0, lengths[level] - lengths[level + 1]) / column.nodes(0))
                .toArray();
    }

    /** The sum, over the nodes of a level, of the squared sum of the weights of a node's cells in these runs. */
    private double squaredSums(List<Run> runs, int level) {
        int width = column.width(level);
        double squares = 0;
        int open = -1;
        double sumOfOpen = 0;
        for (Run run : runs) {
            int first = run.from() / width;
            int last = (run.to() - 1) / width;
            if (first != open) {
                squares += sumOfOpen * sumOfOpen;
                open = first;
                sumOfOpen = 0;
            }
            if (first == last) {
                sumOfOpen += sum(run.from(), run.to());
            } else {
                sumOfOpen += sum(run.from(), (first + 1) * width);
                squares += sumOfOpen * sumOfOpen + squares(level, first + 1, last);
                open = last;
                sumOfOpen = sum(last * width, run.to());
            }
        }
        return squares + sumOfOpen * sumOfOpen;
    }
}
