package dev.purser.synopsis;

import dev.purser.dataset.ColumnValue;
import dev.purser.mechanism.CellWeights;
import dev.purser.mechanism.CellWeights.Run;
import dev.purser.mechanism.ConsistentTables;
import dev.purser.mechanism.Hierarchy;
import dev.purser.mechanism.LinearError;
import dev.purser.mechanism.Precision;
import dev.purser.query.AggregateKey;
import dev.purser.synopsis.Selection.Part;
import dev.purser.synopsis.Selection.Weight;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers linear questions about a synopsis, each with a bound on its error. Work that several questions need is done
 * once. Not thread-safe.
 */
final class Estimates {
    private final Synopsis synopsis;
    private final Precision precision;

    /** Null if only bounds are wanted. */
    private final @Nullable ConsistentTables tables;

    private final Map<List<Integer>, LinearError> errors = new HashMap<>();
    private final Map<Map<Integer, Weight>, PrefixSums> sums = new HashMap<>();
    private final Map<List<Object>, CellWeights> weights = new HashMap<>();

    /**
     * An estimate in the unit of the data.
     *
     * @param bound its error exceeds this with the asked probability at most
     */
    record Estimate(double value, double bound) {
        double low() {
            return value - bound;
        }

        double high() {
            return value + bound;
        }
    }

    /** Estimates without noisy numbers: every value is 0, and its bound is the bound of the later estimate. */
    static Estimates planned(Synopsis synopsis, Precision precision) {
        return new Estimates(synopsis, precision, null);
    }

    Estimates(Synopsis synopsis, Precision precision, @Nullable ConsistentTables tables) {
        this.synopsis = synopsis;
        this.precision = precision;
        this.tables = tables;
    }

    Synopsis synopsis() {
        return synopsis;
    }

    /** @param beta the probability with which the error may exceed the bound */
    Estimate of(Selection question, double beta) {
        if (question.isEmpty()) {
            return new Estimate(0, 0);
        }
        List<Integer> divided = question.divided();
        double bound = errors.computeIfAbsent(divided, unseen -> new LinearError(precision, unseen))
                .bound(divided.stream().map(column -> part(question, column)).toList(), beta);
        return new Estimate(value(question), bound * resolution());
    }

    /** The value of the estimate, for a question that takes at least one cell. */
    double value(Selection question) {
        if (tables == null) {
            return 0;
        }
        List<List<Run>> runs =
                question.parts().values().stream().map(Part::runs).toList();
        return sums(question, tables).of(runs) * resolution();
    }

    /** The estimated number of all rows. */
    double rows() {
        return value(new Selection(new TreeMap<>()));
    }

    /** The estimates of all cells of a table with ascending columns; the cell of the last column changes fastest. */
    double[] cells(List<Integer> table) {
        double[] regular = Objects.requireNonNull(tables).cells(synopsis.table(table));
        int[] sizes = table.stream()
                .mapToInt(column -> synopsis.columns().get(column).cells())
                .toArray();
        double[] cells = new double[Arrays.stream(sizes).reduce(1, Math::multiplyExact)];
        for (int cell = 0; cell < cells.length; cell++) {
            int place = 0;
            int inner = cells.length;
            for (int i = 0; i < sizes.length; i++) {
                inner /= sizes[i];
                int width = synopsis.columns().get(table.get(i)).widths().getLast();
                place = place * width + cell / inner % sizes[i];
            }
            cells[cell] = regular[place] * resolution();
        }
        return cells;
    }

    private double resolution() {
        return synopsis.cells().grid().resolution().doubleValue();
    }

    private LinearError.Part part(Selection question, int column) {
        Part part = question.part(column);
        return new LinearError.Part(weights(column, part.weight()), part.runs());
    }

    private CellWeights weights(int column, Weight weight) {
        Hierarchy hierarchy = synopsis.columns().get(column);
        return weights.computeIfAbsent(
                List.of(column, weight),
                unseen -> weight == Weight.ONE
                        ? CellWeights.ones(hierarchy)
                        : CellWeights.of(hierarchy, numbers(column, weight)));
    }

    private PrefixSums sums(Selection question, ConsistentTables tables) {
        Map<Integer, Weight> weighted = new HashMap<>();
        question.parts().forEach((column, part) -> weighted.put(column, part.weight()));
        return sums.computeIfAbsent(weighted, unseen -> {
            List<Integer> divided = question.divided();
            return new PrefixSums(
                    tables.cells(synopsis.table(divided)),
                    divided.stream()
                            .mapToInt(column ->
                                    synopsis.columns().get(column).widths().getLast())
                            .toArray(),
                    divided.stream()
                            .map(column -> padded(column, question.part(column).weight()))
                            .toList());
        });
    }

    private double[] padded(int column, Weight weight) {
        return Arrays.copyOf(
                numbers(column, weight), synopsis.columns().get(column).widths().getLast());
    }

    /** The weights of all cells of a column. */
    private double[] numbers(int column, Weight weight) {
        AggregateKey key = synopsis.cells().keys().get(column);
        double[] numbers = new double[key.groups()];
        if (weight == Weight.ONE) {
            Arrays.fill(numbers, 1);
            return numbers;
        }
        double step = step(key);
        double origin = weight == Weight.VALUE ? 0 : centerSteps(key);
        for (int cell = 0; cell < numbers.length; cell++) {
            double distance = (middleSteps(key, cell) - origin) * step;
            numbers[cell] = weight == Weight.SQUARED_DEVIATION ? distance * distance : distance;
        }
        return numbers;
    }

    private static double step(AggregateKey key) {
        return FreeQuestion.ordered(key).grid().resolution().doubleValue();
    }

    /** The middle of the values of a cell, in the unit of the data. */
    static double middle(AggregateKey key, int cell) {
        return middleSteps(key, cell) * step(key);
    }

    /** The middle of all values of a column's cells. */
    static double center(AggregateKey key) {
        return centerSteps(key) * step(key);
    }

    private static double middleSteps(AggregateKey key, int cell) {
        return (leastStep(key, cell) + greatestStep(key, cell)) / 2.0;
    }

    private static double centerSteps(AggregateKey key) {
        return (middleSteps(key, 0) + middleSteps(key, key.groups() - 1)) / 2;
    }

    /** The least value of a cell. */
    static ColumnValue shownLeast(AggregateKey key, int cell) {
        return FreeQuestion.ordered(key).notation().shown(leastStep(key, cell));
    }

    /** The greatest value of a cell. */
    static ColumnValue shownGreatest(AggregateKey key, int cell) {
        return FreeQuestion.ordered(key).notation().shown(greatestStep(key, cell));
    }

    /** The middle of the values of a cell, or the value below it. */
    static ColumnValue shownMiddle(AggregateKey key, int cell) {
        long least = leastStep(key, cell);
        return FreeQuestion.ordered(key).notation().shown(least + (greatestStep(key, cell) - least) / 2);
    }

    static long leastStep(AggregateKey key, int cell) {
        return Math.max(FreeQuestion.ordered(key).lower(), key.edge().applyAsLong(cell));
    }

    static long greatestStep(AggregateKey key, int cell) {
        return Math.min(FreeQuestion.ordered(key).upper(), key.edge().applyAsLong(cell + 1) - 1);
    }
}
