package dev.purser.synopsis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows that follow noisy tables of pairs of columns. They are computed from released numbers and a public seed alone.
 * The argument is in {@code Rows.md}.
 *
 * <p>Columns are joined to a tree of the largest mutual information (Chow and Liu 1968). The rows are divided among the
 * cells of the root, and the rows of each cell among the cells of each child, in proportion to the estimates. They are
 * divided by largest remainders, because independent draws would add more to the error of the estimates.
 */
final class InventedRows {
    /** Estimates of the cells of a table, which can be below zero; the cell of the last column changes fastest. */
    @FunctionalInterface
    interface Tables {
        double[] cells(List<Integer> columns);
    }

    /** A column, and the column that it depends on. */
    record Edge(int parent, int child) {}

    private final int[] sizes;
    private final int count;
    private final PublicSequence sequence;
    private final Codes[] columns;

    /**
     * Invents rows.
     *
     * @param sizes how many cells each column has
     * @param count how many rows
     */
    InventedRows(int[] sizes, Tables tables, int count, long seed) {
        this.sizes = sizes;
        this.count = count;
        this.sequence = new PublicSequence(seed);
        this.columns = new Codes[sizes.length];
        drawRoot(tables);
        tree(sizes, tables).forEach(edge -> drawChild(edge, tables));
    }

    int count() {
        return count;
    }

    int cell(int column, int row) {
        return columns[column].get(row);
    }

    /** How many rows lie in each cell of a table; the cell of the last column changes fastest. */
    int[] counted(List<Integer> table) {
        int[] counted = new int[table.stream().mapToInt(column -> sizes[column]).reduce(1, Math::multiplyExact)];
        for (int row = 0; row < count; row++) {
            int place = 0;
            for (int column : table) {
                place = place * sizes[column] + columns[column].get(row);
            }
            counted[place]++;
        }
        return counted;
    }

    private void drawRoot(Tables tables) {
        int[] of = apportioned(count, usable(tables.cells(List.of(0)), sizes[0]), new double[sizes[0]]);
        columns[0] = filled(0, List.of(of));
        columns[0].shuffle(0, count, sequence);
    }

    /**
     * Divides the rows of each cell of the parent among the cells of the child, in an order that the sequence chooses.
     */
    private void drawChild(Edge edge, Tables tables) {
        double[] marginal = usable(tables.cells(List.of(edge.child())), sizes[edge.child()]);
        Pair pair = Pair.of(tables, sizes, edge.parent(), edge.child());
        Codes parent = columns[edge.parent()];
        int[] ofParent = counted(List.of(edge.parent()));
        double[] owed = new double[sizes[edge.child()]];
        List<int[]> shares = new ArrayList<>();
        for (int cell = 0; cell < ofParent.length; cell++) {
            double[] conditional = pair.row(cell);
            boolean isKnown = Arrays.stream(conditional).sum() > 0;
            shares.add(apportioned(ofParent[cell], isKnown ? conditional : marginal, owed));
        }
        Codes drawn = filled(edge.child(), shares);
        int[] next = new int[ofParent.length];
        for (int cell = 1; cell < next.length; cell++) {
            next[cell] = next[cell - 1] + ofParent[cell - 1];
        }
        for (int cell = 0; cell < next.length; cell++) {
            drawn.shuffle(next[cell], next[cell] + ofParent[cell], sequence);
        }
        Codes child = new Codes(sizes[edge.child()], count);
        for (int row = 0; row < count; row++) {
            child.set(row, drawn.get(next[parent.get(row)]++));
        }
        columns[edge.child()] = child;
    }

    /** Each cell as often as its group says, one group after the other. */
    private Codes filled(int column, List<int[]> groups) {
        Codes filled = new Codes(sizes[column], count);
        int row = 0;
        for (int[] group : groups) {
            for (int cell = 0; cell < group.length; cell++) {
                for (int i = 0; i < group[cell]; i++) {
                    filled.set(row++, cell);
                }
            }
        }
        return filled;
    }

    /**
     * Divides a number by largest remainders.
     *
     * @param weights not below zero; at least one is above zero
     * @param owed the part of its share that earlier divisions did not give to each cell; updated. Without it, many
     *     small groups would give all their rows to the most frequent cell.
     */
    static int[] apportioned(int number, double[] weights, double[] owed) {
        double sum = Arrays.stream(weights).sum();
        int[] given = new int[weights.length];
        if (number == 0) {
            return given;
        }
        int left = number;
        double[] wanted = new double[weights.length];
        for (int cell = 0; cell < given.length; cell++) {
            wanted[cell] = number * (weights[cell] / sum);
            given[cell] = (int) Math.min(left, Math.floor(wanted[cell]));
            left -= given[cell];
        }
        List<Integer> largest = IntStream.range(0, given.length)
                .filter(cell -> weights[cell] > 0)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer cell) -> given[cell] - wanted[cell] - owed[cell]))
                .toList();
        for (int i = 0; i < left; i++) {
            given[largest.get(i % largest.size())]++;
        }
        for (int cell = 0; cell < given.length; cell++) {
            owed[cell] += wanted[cell] - given[cell];
        }
        return given;
    }

    /** Usable weights: estimates below zero count as zero. If none is above zero, all weights are equal. */
    private static double[] usable(double[] estimates, int cells) {
        double[] cut =
                Arrays.stream(estimates).map(estimate -> Math.max(0, estimate)).toArray();
        if (Arrays.stream(cut).sum() <= 0) {
            Arrays.fill(cut, 0, cells, 1);
        }
        return cut;
    }

    /** A maximum spanning tree from column 0: each edge joins a column to the columns before it (Prim). */
    static List<Edge> tree(int[] sizes, Tables tables) {
        double[] nearest = new double[sizes.length];
        int[] parents = new int[sizes.length];
        boolean[] isJoined = new boolean[sizes.length];
        Arrays.fill(nearest, Double.NEGATIVE_INFINITY);
        List<Edge> tree = new ArrayList<>();
        for (int joined = 0; tree.size() < sizes.length - 1; ) {
            isJoined[joined] = true;
            for (int other = 0; other < sizes.length; other++) {
                if (!isJoined[other]) {
                    double information = Pair.of(tables, sizes, joined, other).mutualInformation();
                    if (information > nearest[other]) {
                        nearest[other] = information;
                        parents[other] = joined;
                    }
                }
            }
            joined = IntStream.range(0, sizes.length)
                    .filter(column -> !isJoined[column])
                    .boxed()
                    .max(Comparator.comparingDouble(column -> nearest[column]))
                    .orElseThrow();
            tree.add(new Edge(parents[joined], joined));
        }
        return tree;
    }

    /** The estimates of two columns, as rows of one and columns of the other. */
    private record Pair(double[] cells, int rows, int columns, boolean isTurned) {
        static Pair of(Tables tables, int[] sizes, int one, int other) {
            boolean isTurned = one > other;
            return new Pair(
                    tables.cells(isTurned ? List.of(other, one) : List.of(one, other)),
                    sizes[one],
                    sizes[other],
                    isTurned);
        }

        private double cell(int row, int column) {
            return Math.max(0, cells[isTurned ? column * rows + row : row * columns + column]);
        }

        double[] row(int row) {
            return IntStream.range(0, columns)
                    .mapToDouble(column -> cell(row, column))
                    .toArray();
        }

        /** The mutual information in nats. Estimates below zero count as zero. */
        double mutualInformation() {
            double[] ofRows = new double[rows];
            double[] ofColumns = new double[columns];
            double all = 0;
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    double cell = cell(row, column);
                    ofRows[row] += cell;
                    ofColumns[column] += cell;
                    all += cell;
                }
            }
            double information = 0;
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    double cell = cell(row, column);
                    information += cell > 0 ? cell / all * Math.log(cell * all / ofRows[row] / ofColumns[column]) : 0;
                }
            }
            return information;
        }
    }
}
