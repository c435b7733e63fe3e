package dev.purser.mechanism;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The error of linear questions that tell apart values of some columns of a synopsis: the exact variance of an
 * estimate, and a bound that the noise exceeds with a stated probability at most. The bounds are proved for the noise
 * that is used. The arguments are in {@code NoisySynopsis.md}.
 */
public final class LinearError {
    private final List<Hierarchy> columns;
    private final List<Residual> residuals = new ArrayList<>();
    private final List<Source> sources = new ArrayList<>();

    /** The coefficients of one cell. They are the same for every cell, and are computed once. */
    private @Nullable OneCell oneCell;

    /**
     * The part that a grain explains beyond coarser grains, and its precision. It has one level for each divided
     * column.
     */
    private record Residual(int[] levels, double precision) {
        boolean isCoarserOrEqual(int[] other) {
            return IntStream.range(0, levels.length).allMatch(i -> levels[i] >= other[i]);
        }
    }

    /**
     * A measured table, and the residuals that it measures.
     *
     * @param places how many of its nodes differ in the divided columns; all other nodes differ in further columns
     *     alone
     */
    private record Source(
            Precision.Measurement table, double nodes, double places, int[] levels, List<Integer> coarser) {
        double weight() {
            return 1 / (table.variance() * nodes);
        }

        /** The variance of the noise of a node. Laplace noise counts as if it were continuous. */
        double heaviness() {
            return Math.max(table.variance(), 2 * table.laplaceScale() * table.laplaceScale());
        }

        boolean dividesFurtherColumns() {
            return nodes > places;
        }
    }

    /** A part of a question: the weights of the cells of one column, and which cells are taken. */
    public record Part(CellWeights weights, List<CellWeights.Run> runs) {
        private boolean isOneCell() {
            return runs.size() == 1 && runs.getFirst().to() - runs.getFirst().from() == 1;
        }
    }

    /**
     * The noises of one cell's estimate.
     *
     * @param main the largest coefficient times its scale
     * @param scale the scale of that noise
     * @param next an upper bound on every other coefficient times its scale
     */
    private record OneCell(double main, double scale, double next) {}

    /**
     * @param divided the columns whose values the questions tell apart, ascending; a measured table divides them all
     */
    public LinearError(Precision precision, List<Integer> divided) {
        columns = divided.stream().map(precision.columns()::get).toList();
        for (Grain grain : Grain.cellsOf(precision.columns(), divided).coarser(precision.columns())) {
            residuals.add(new Residual(levels(grain, divided), precision.of(grain)));
        }
        for (Precision.Measurement table : precision.measured()) {
            int[] levels = levels(table.grain(), divided);
            List<Integer> coarser = IntStream.range(0, residuals.size())
                    .filter(i -> residuals.get(i).isCoarserOrEqual(levels))
                    .boxed()
                    .toList();
            double places = IntStream.range(0, levels.length)
                    .mapToDouble(i -> columns.get(i).nodes(levels[i]))
                    .reduce(1, (one, other) -> one * other);
            sources.add(new Source(table, table.grain().nodes(precision.columns()), places, levels, coarser));
        }
    }

    private static int[] levels(Grain grain, List<Integer> divided) {
        return divided.stream().mapToInt(grain::level).toArray();
    }

    /**
     * The variance of an estimate. Its square root is the standard error.
     *
     * @param question a part for each of the divided columns; the weight of a cell is the product of its weights in
     *     these columns
     */
    public double variance(List<Part> question) {
        double[] energies = energies(question);
        return IntStream.range(0, energies.length)
                .mapToDouble(i -> energies[i] / residuals.get(i).precision())
                .sum();
    }

    /** By residual, the energy of a question. */
    private double[] energies(List<Part> question) {
        List<double[]> byColumn = question.stream()
                .map(part -> part.weights().energies(part.runs()))
                .toList();
        return residuals.stream()
                .mapToDouble(residual -> product(byColumn, residual.levels()))
                .toArray();
    }

    private static double product(List<double[]> byColumn, int[] levels) {
        double product = 1;
        for (int column = 0; column < levels.length; column++) {
            product *= byColumn.get(column)[levels[column]];
        }
        return product;
    }

    /** A bound that the error exceeds with probability {@code beta} at most. */
    public double bound(List<Part> question, double beta) {
        if (sources.stream().allMatch(source -> source.table().laplaceScale() == 0)) {
            return TailBound.gaussian(variance(question), beta);
        }
        double[] lengths = squaredLengths(energies(question));
        double variance = 0;
        for (int i = 0; i < lengths.length; i++) {
            variance += sources.get(i).heaviness() * lengths[i];
        }
        if (!question.isEmpty() && question.stream().allMatch(Part::isOneCell)) {
            double weight = question.stream()
                    .mapToDouble(part -> Math.abs(part.weights().sum(part.runs())))
                    .reduce(1, (one, other) -> one * other);
            return weight == 0 ? 0 : weight * boundOfOneCell(variance / (weight * weight), beta);
        }
        return variance == 0 ? 0 : TailBound.laplace(variance, largest(question, lengths), beta);
    }

    private double boundOfOneCell(double variance, double beta) {
        OneCell known = oneCell;
        if (known == null) {
            known = oneCell();
            oneCell = known;
        }
        double others = Math.max(0, variance - 2 * known.main() * known.main());
        return Math.min(
                TailBound.laplace(variance, known.main(), beta),
                TailBound.mostlyOneLaplace(known.main(), known.scale(), others, known.next(), beta));
    }

    /**
     * The coefficients of the estimate of one cell, exactly. In each column, a node of a measured table has the same
     * ancestors as the cell from some level on. These levels alone determine its coefficient. A coefficient belongs to
     * one node alone only if the node holds the cell and its table divides no further column.
     */
    private OneCell oneCell() {
        double main = 0;
        double scale = 1;
        List<Double> all = new ArrayList<>();
        for (Source source : sources) {
            for (int[] meeting : meetings(source.levels())) {
                double sum = 0;
                for (int i : source.coarser()) {
                    sum += atNode(residuals.get(i).levels(), meeting)
                            / residuals.get(i).precision();
                }
                double coefficient = source.table().laplaceScale() * Math.abs(source.weight() * sum);
                all.add(coefficient);
                boolean isSingle = Arrays.equals(meeting, source.levels()) && !source.dividesFurtherColumns();
                if (isSingle && coefficient > main) {
                    main = coefficient;
                    scale = source.table().laplaceScale();
                }
            }
        }
        all.sort(Comparator.reverseOrder());
        all.remove(main);
        double next = all.isEmpty() ? 0 : all.getFirst();
        // If no single node has the largest coefficient, the bound for one main noise says nothing.
        return new OneCell(Math.max(main, next), scale, next);
    }

    /** All choices of a level for each divided column from which on a node can have the same ancestors as the cell. */
    private List<int[]> meetings(int[] levels) {
        List<int[]> all = List.of(levels);
        for (int column = 0; column < levels.length; column++) {
            int own = column;
            all = all.stream()
                    .flatMap(each -> IntStream.rangeClosed(
                                    levels[own], columns.get(own).top())
                            .mapToObj(level -> {
                                int[] meeting = each.clone();
                                meeting[own] = level;
                                return meeting;
                            }))
                    .toList();
        }
        return all;
    }

    /**
     * The part of the cell's weight of 1 that a residual explains at a node with the cell's ancestors from these levels
     * on.
     */
    private double atNode(int[] residual, int[] meeting) {
        double product = 1;
        for (int column = 0; column < residual.length; column++) {
            Hierarchy hierarchy = columns.get(column);
            int level = residual[column];
            double own = level >= meeting[column] ? 1.0 / hierarchy.width(level) : 0;
            double parent =
                    level == hierarchy.top() || level + 1 < meeting[column] ? 0 : 1.0 / hierarchy.width(level + 1);
            product *= own - parent;
        }
        return product;
    }

    /** By measured table, the sum of the squares of its nodes' coefficients. */
    private double[] squaredLengths(double[] energies) {
        return sources.stream()
                .mapToDouble(source -> {
                    double squares = 0;
                    for (int i : source.coarser()) {
                        squares += energies[i] / Math.pow(residuals.get(i).precision(), 2);
                    }
                    return squares * source.nodes() * source.weight() * source.weight();
                })
                .toArray();
    }

    /**
     * An upper bound on every coefficient times its scale.
     *
     * @param squaredLengths by measured table
     */
    private double largest(List<Part> question, double[] squaredLengths) {
        List<double[]> highest = IntStream.range(0, question.size())
                .mapToObj(column -> highest(question.get(column), columns.get(column)))
                .toList();
        boolean isChain = question.size() == 1;
        double largest = 0;
        for (int place = 0; place < squaredLengths.length; place++) {
            Source source = sources.get(place);
            double sum = 0;
            double finest = Double.POSITIVE_INFINITY;
            for (int i : source.coarser()) {
                Residual residual = residuals.get(i);
                sum += product(highest, residual.levels()) / residual.precision();
                finest = Math.min(finest, residual.precision());
            }
            double length = Math.sqrt(squaredLengths[place]);
            double alongChain = isChain ? question.getFirst().weights().spread() / finest * source.weight() : length;
            double coefficient = Math.min(Math.min(length, sum * source.weight()), alongChain);
            largest = Math.max(largest, source.table().laplaceScale() * coefficient);
        }
        return largest;
    }

    /** By level, an upper bound on every part of the weights that the level explains. */
    private static double[] highest(Part part, Hierarchy column) {
        return IntStream.rangeClosed(0, column.top())
                .mapToDouble(level -> level < column.top()
                        ? part.weights().spread()
                        : Math.abs(part.weights().sum(part.runs())) / column.nodes(0))
                .toArray();
    }
}
