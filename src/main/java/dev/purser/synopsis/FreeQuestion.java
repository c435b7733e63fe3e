package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.mechanism.CellWeights.Run;
import dev.purser.mechanism.OnDemand;
import dev.purser.query.AggregateKey;
import dev.purser.query.QuantileQuery;
import dev.purser.query.Where;
import dev.purser.synopsis.Estimates.Estimate;
import dev.purser.synopsis.FreeAnswer.Bin;
import dev.purser.synopsis.FreeAnswer.Cell;
import dev.purser.synopsis.Moments.Sums;
import dev.purser.synopsis.Selection.Part;
import dev.purser.synopsis.Selection.Weight;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

import static dev.purser.synopsis.ChosenCells.COLUMN;

/**
 * A question that a synopsis answers for nothing. It was read and checked, so an answer cannot fail. {@code Answers.md}
 * says what it computes, and why its intervals hold.
 */
sealed interface FreeQuestion {
    /** How many numbers the answer has. */
    int numbers();

    /** About how many look-ups an answer takes. */
    default long work() {
        return numbers();
    }

    /** The most work of an alpha that a quote computes. A quote waits for no turn and takes little memory. */
    long QUICK_WORK = 100_000;

    /** Whether its alpha takes little work, and follows from what was measured alone, without the noisy numbers. */
    default boolean hasQuickAlpha(Synopsis synopsis) {
        return work() <= QUICK_WORK;
    }

    /**
     * Answers the question.
     *
     * @param beta the probability with which a number may be outside its interval
     * @param nonNegative whether counts below zero are stated as zero
     */
    FreeAnswer answer(Estimates estimates, double beta, boolean nonNegative);

    /**
     * The sum of some cells, each by its weight.
     *
     * @param isNeverNegative whether only noise can make the sum negative
     */
    record Linear(Selection selection, boolean isNeverNegative) implements FreeQuestion {
        static final FreeKind COUNT = new FreeKind(
                "count", "The number of rows.", List.of(Where.FIELD), (in, cells) -> count(cells.read(in)));
        static final FreeKind SUM = new FreeKind(
                "sum",
                "A sum of values: of `column`, each value taken as the middle of its cell, or without it of the"
                        + " synopsis's measure.",
                List.of(COLUMN.asOptional(), Where.FIELD),
                (in, cells) -> {
                    Optional<Selection> rows = cells.read(in);
                    return in.has(COLUMN)
                            ? in.read(COLUMN).flatMap(column -> sum(cells, Optional.of(column), rows))
                            : sum(cells, Optional.empty(), rows);
                });

        static Optional<Linear> count(Optional<Selection> rows) {
            return rows.map(selection -> new Linear(selection, true));
        }

        /** @param column the column; empty for the synopsis's measure */
        static Optional<Linear> sum(ChosenCells cells, Optional<String> column, Optional<Selection> rows) {
            Synopsis synopsis = cells.synopsis();
            Column.Numeric measure = synopsis.cells().measure();
            if (measure != null && column.isPresent()) {
                return cells.refuse(
                        COLUMN, "column must be left out: the synopsis holds sums of \"" + measure.name() + "\"");
            }
            if (measure != null) {
                return rows.map(selection -> new Linear(selection, synopsis.isNeverNegative()));
            }
            if (column.isEmpty()) {
                return cells.refuse(COLUMN, "column is required: the synopsis has no measure");
            }
            return cells.together(rows, cells.numbers(column.orElseThrow()))
                    .map(place -> ofValues(rows.orElseThrow(), place, cells.key(place)));
        }

        private static Linear ofValues(Selection cells, int column, AggregateKey key) {
            return new Linear(
                    cells.weighted(column, Weight.VALUE, all(key)), ordered(key).lower() >= 0);
        }

        @Override
        public int numbers() {
            return 1;
        }

        @Override
        public long work() {
            return selection.boxes();
        }

        /** Weights other than 1 are computed for all cells of a column. */
        @Override
        public boolean hasQuickAlpha(Synopsis synopsis) {
            return work() <= QUICK_WORK
                    && selection.parts().entrySet().stream()
                            .allMatch(part -> part.getValue().weight() == Weight.ONE
                                    || synopsis.cells()
                                                    .keys()
                                                    .get(part.getKey())
                                                    .groups()
                                            <= QUICK_WORK);
        }

        @Override
        public FreeAnswer answer(Estimates estimates, double beta, boolean nonNegative) {
            return FreeAnswer.ofNumber(estimates.of(selection, beta), nonNegative && isNeverNegative);
        }
    }

    /** The mean of a column's values in some cells. */
    record Mean(Selection cells, int column, AggregateKey key) implements FreeQuestion {
        static final FreeKind KIND = new FreeKind(
                "mean",
                "The mean of a column, each value taken as the middle of its cell.",
                List.of(COLUMN, Where.FIELD),
                (in, cells) -> of(cells, cells.read(in), in.read(COLUMN).flatMap(cells::numbers)));

        static Optional<Mean> of(ChosenCells cells, Optional<Selection> rows, Optional<Integer> column) {
            return cells.together(rows, column).map(place -> new Mean(rows.orElseThrow(), place, cells.key(place)));
        }

        @Override
        public int numbers() {
            return 1;
        }

        @Override
        public long work() {
            return 2 * cells.boxes();
        }

        @Override
        public boolean hasQuickAlpha(Synopsis synopsis) {
            return false;
        }

        @Override
        public FreeAnswer answer(Estimates estimates, double beta, boolean nonNegative) {
            Estimate rows = estimates.of(cells, beta / 2);
            Estimate sum = estimates.of(cells.weighted(column, Weight.DEVIATION, all(key)), beta / 2);
            return Moments.mean(rows, sum, Estimates.center(key), reach(key));
        }
    }

    /** The variance of a column. */
    record Variance(int column, AggregateKey key) implements FreeQuestion {
        static final FreeKind KIND = new FreeKind(
                "variance",
                "The variance of a column, each value taken as the middle of its cell.",
                List.of(COLUMN),
                (in, cells) ->
                        in.read(COLUMN).flatMap(cells::numbers).map(place -> new Variance(place, cells.key(place))));

        @Override
        public int numbers() {
            return 1;
        }

        @Override
        public boolean hasQuickAlpha(Synopsis synopsis) {
            return false;
        }

        @Override
        public FreeAnswer answer(Estimates estimates, double beta, boolean nonNegative) {
            return Moments.variance(
                    estimates.of(everything(), beta / 3),
                    estimates.of(of(column, key, Weight.DEVIATION), beta / 3),
                    estimates.of(of(column, key, Weight.SQUARED_DEVIATION), beta / 3),
                    reach(key));
        }
    }

    /** The correlation of two columns. */
    record Correlation(int one, AggregateKey ofOne, int other, AggregateKey ofOther) implements FreeQuestion {
        private static final Field<Elements<String>> TWO_COLUMNS = ChosenCells.columns(2, 2)
                .describedAs("Two columns of one table.")
                .withExample(List.of("age", "minutes"));
        static final FreeKind KIND = new FreeKind(
                "correlation",
                "The correlation of two columns of numbers, each value taken as the middle of its cell.",
                List.of(TWO_COLUMNS),
                (in, cells) -> in.read(TWO_COLUMNS)
                        .flatMap(cells::places)
                        .filter(places -> places.stream().allMatch(place -> cells.requireNumbers(place, TWO_COLUMNS)))
                        .map(places -> between(places.getFirst(), places.getLast(), cells)));

        private static Correlation between(int one, int other, ChosenCells cells) {
            return new Correlation(one, cells.key(one), other, cells.key(other));
        }

        private static final int PARTS = 6;

        @Override
        public int numbers() {
            return 1;
        }

        @Override
        public boolean hasQuickAlpha(Synopsis synopsis) {
            return false;
        }

        @Override
        public FreeAnswer answer(Estimates estimates, double beta, boolean nonNegative) {
            Selection products = of(one, ofOne, Weight.DEVIATION).with(other, new Part(Weight.DEVIATION, all(ofOther)));
            return Moments.correlation(
                    estimates.of(everything(), beta / PARTS),
                    sums(estimates, one, ofOne, beta / PARTS),
                    sums(estimates, other, ofOther, beta / PARTS),
                    estimates.of(products, beta / PARTS));
        }

        private static Sums sums(Estimates estimates, int column, AggregateKey key, double beta) {
            return new Sums(
                    estimates.of(of(column, key, Weight.DEVIATION), beta),
                    estimates.of(of(column, key, Weight.SQUARED_DEVIATION), beta),
                    reach(key));
        }
    }

    /**
     * The numbers of rows in bins of a column.
     *
     * @param edges the cells at which bins begin and end
     */
    record Histogram(int column, AggregateKey key, int[] edges) implements FreeQuestion {
        private static final Field<Elements<ValueReader>> EDGES = Field.optional(
                "edges",
                FieldType.elements(FieldType.unread(ColumnValue.SHAPE), 2, FreeQuestions.MAX_QUESTIONS)
                        .orNone(),
                "2 or more strictly ascending edges of cells.",
                List.of(0, 20, 40, 111));
        static final FreeKind KIND = new FreeKind(
                "histogram",
                "The numbers of rows in bins: of every cell, or between edges that are edges of cells.",
                List.of(COLUMN, EDGES),
                (in, cells) -> {
                    // The field is read here in any case, so that it does not count as an unknown field.
                    in.know(EDGES);
                    return in.read(COLUMN)
                            .flatMap(name -> cells.place(name, COLUMN))
                            .flatMap(place ->
                                    in.has(EDGES) ? read(in, cells, place) : Optional.of(ofCells(cells, place)));
                });

        private static Optional<Histogram> read(ObjectReader in, ChosenCells cells, int place) {
            return cells.key(place).column() instanceof Column.Numeric column
                    ? in.read(EDGES)
                            .flatMap(all -> all.read(column.notation()::read))
                            .flatMap(edges -> between(
                                    edges.stream().mapToLong(Long::longValue).toArray(), column, cells, place))
                    : cells.refuse(EDGES, "edges are for columns of numbers, dates or timestamps");
        }

        /** @param edges the edges of the bins, in stored integers; ignored if each category is a bin */
        static Optional<Histogram> of(ChosenCells cells, Column column, long[] edges) {
            return cells.place(column.name(), COLUMN)
                    .flatMap(place -> column instanceof Column.Numeric numeric
                            ? between(edges, numeric, cells, place)
                            : Optional.of(ofCells(cells, place)));
        }

        private static Optional<Histogram> between(long[] edges, Column.Numeric column, ChosenCells cells, int place) {
            AggregateKey key = cells.key(place);
            return cells.edges(key, column, edges, EDGES).map(found -> new Histogram(place, key, found));
        }

        private static Histogram ofCells(ChosenCells cells, int place) {
            AggregateKey key = cells.key(place);
            return new Histogram(
                    place, key, IntStream.rangeClosed(0, key.groups()).toArray());
        }

        @Override
        public int numbers() {
            return edges.length - 1;
        }

        @Override
        public FreeAnswer answer(Estimates estimates, double beta, boolean nonNegative) {
            List<Bin> bins = new ArrayList<>();
            double alpha = 0;
            for (int i = 0; i < numbers(); i++) {
                Estimate count = estimates.of(Selection.of(run(column, edges[i], edges[i + 1])), beta);
                alpha = Math.max(alpha, count.bound());
                bins.add(Bin.of(key.between(edges[i], edges[i + 1]), count, nonNegative));
            }
            return FreeAnswer.ofBins(bins, alpha);
        }
    }

    /** The numbers of rows below the upper end of each cell. */
    record Cumulative(int column, AggregateKey key) implements FreeQuestion {
        static final FreeKind KIND = new FreeKind(
                "cumulative",
                "The numbers of rows below the upper end of each cell.",
                List.of(COLUMN),
                (in, cells) ->
                        in.read(COLUMN).flatMap(cells::ordered).map(place -> new Cumulative(place, cells.key(place))));

        @Override
        public int numbers() {
            return key.groups();
        }

        @Override
        public FreeAnswer answer(Estimates estimates, double beta, boolean nonNegative) {
            List<Bin> bins = new ArrayList<>();
            double alpha = 0;
            for (int cell = 0; cell < key.groups(); cell++) {
                Estimate count = estimates.of(Selection.of(run(column, 0, cell + 1)), beta);
                alpha = Math.max(alpha, count.bound());
                bins.add(Bin.of(key.between(cell, cell + 1), count, nonNegative));
            }
            return FreeAnswer.ofBins(bins, alpha);
        }
    }

    /** All cells of a table; the cell of the last column changes fastest. */
    record Table(List<Integer> columns, List<AggregateKey> keys) implements FreeQuestion {
        static final FreeKind KIND = new FreeKind(
                "table",
                "All cells of a table.",
                List.of(ChosenCells.COLUMNS),
                (in, cells) -> in.read(ChosenCells.columns(
                                1, cells.synopsis().columns().size()))
                        .flatMap(cells::places)
                        .map(places -> new Table(
                                places, places.stream().map(cells::key).toList())));

        @Override
        public int numbers() {
            return keys.stream().mapToInt(AggregateKey::groups).reduce(1, Math::multiplyExact);
        }

        @Override
        public FreeAnswer answer(Estimates estimates, double beta, boolean nonNegative) {
            boolean isCut = nonNegative && estimates.synopsis().isNeverNegative();
            // Cells are divided regularly, so all cells of a table have the same variance and the same bound.
            double bound = estimates.of(selection(places(0)), beta).bound();
            return FreeAnswer.ofCells(new OnDemand<>(numbers(), cell -> {
                int[] places = places(cell);
                List<AggregateKey.Value> key = IntStream.range(0, places.length)
                        .mapToObj(i -> keys.get(i).value(places[i]))
                        .toList();
                return Cell.of(key, new Estimate(estimates.value(selection(places)), bound), isCut);
            }));
        }

        /** The place of a cell in each column of the table. */
        private int[] places(int cell) {
            int[] places = new int[keys.size()];
            int rest = cell;
            for (int i = places.length - 1; i >= 0; i--) {
                places[i] = rest % keys.get(i).groups();
                rest /= keys.get(i).groups();
            }
            return places;
        }

        private Selection selection(int[] places) {
            SortedMap<Integer, List<Run>> runs = new TreeMap<>();
            for (int i = 0; i < places.length; i++) {
                runs.put(columns.get(i), List.of(new Run(places[i], places[i] + 1)));
            }
            return Selection.of(runs);
        }
    }

    /** The values below which shares of the rows lie. */
    record Quantiles(int column, AggregateKey key, List<BigDecimal> probabilities) implements FreeQuestion {
        static final FreeKind KIND = new FreeKind(
                "quantile",
                "The values that shares of the rows lie below.",
                List.of(COLUMN, QuantileQuery.PROBABILITIES),
                (in, cells) -> of(
                        cells,
                        in.read(QuantileQuery.PROBABILITIES),
                        in.read(COLUMN).flatMap(cells::ordered)));

        static Optional<Quantiles> of(
                ChosenCells cells, Optional<List<BigDecimal>> probabilities, Optional<Integer> column) {
            return column.flatMap(place -> probabilities.map(known -> new Quantiles(place, cells.key(place), known)));
        }

        @Override
        public int numbers() {
            return probabilities.size();
        }

        @Override
        public long work() {
            return (long) key.groups() * (1 + probabilities.size());
        }

        @Override
        public FreeAnswer answer(Estimates estimates, double beta, boolean nonNegative) {
            int cells = key.groups();
            // All numbers below a cell's end and the number of all rows are within their bounds together.
            double ofEach = beta / (cells + 1);
            Estimate rows = estimates.of(everything(), ofEach);
            List<Estimate> below = new ArrayList<>();
            double alpha = 0;
            for (int cell = 0; cell < cells; cell++) {
                Estimate count = estimates.of(Selection.of(run(column, 0, cell + 1)), ofEach);
                alpha = Math.max(alpha, count.bound() + rows.bound());
                below.add(count);
            }
            return FreeAnswer.ofQuantiles(
                    probabilities.stream()
                            .map(probability -> quantile(probability, rows, below))
                            .toList(),
                    alpha);
        }

        private QuantileQuery.Quantile quantile(BigDecimal probability, Estimate rows, List<Estimate> below) {
            double p = probability.doubleValue();
            int last = below.size() - 1;
            int low = last;
            int value = last;
            int high = last;
            for (int cell = last; cell >= 0; cell--) {
                Estimate count = below.get(cell);
                low = count.high() >= p * rows.low() ? cell : low;
                value = count.value() >= p * rows.value() ? cell : value;
                high = count.low() >= p * rows.high() ? cell : high;
            }
            return new QuantileQuery.Quantile(
                    probability,
                    Estimates.shownMiddle(key, value),
                    new QuantileQuery.QuantileInterval(
                            Estimates.shownLeast(key, low), Estimates.shownGreatest(key, high)));
        }
    }

    /** All rows of the synopsis. */
    private static Selection everything() {
        return new Selection(new TreeMap<>());
    }

    /** All cells of a column, with this weight. */
    private static Selection of(int column, AggregateKey key, Weight weight) {
        return everything().with(column, new Part(weight, all(key)));
    }

    private static List<Run> all(AggregateKey key) {
        return List.of(new Run(0, key.groups()));
    }

    private static SortedMap<Integer, List<Run>> run(int column, int from, int to) {
        SortedMap<Integer, List<Run>> runs = new TreeMap<>();
        runs.put(column, List.of(new Run(from, to)));
        return runs;
    }

    /** The largest distance of a cell's middle from the middle of the column. */
    private static double reach(AggregateKey key) {
        return Math.abs(Estimates.middle(key, key.groups() - 1) - Estimates.center(key));
    }

    /** The column of a key, which has numbers or times. */
    static Column.Numeric ordered(AggregateKey key) {
        return (Column.Numeric) key.column();
    }
}
