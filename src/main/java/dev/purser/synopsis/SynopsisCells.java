package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.engine.Filter;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.JsonValue;
import dev.purser.json.JsonValue.JsonArray;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.mechanism.NoisySynopsis;
import dev.purser.privacy.Grid;
import dev.purser.query.AggregateKey;
import dev.purser.query.Beta;
import dev.purser.query.Columns;
import dev.purser.query.HistogramQuery;
import dev.purser.query.Where;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a synopsis is about: the cells of some columns, the rows that are in them, and what is counted or added up.
 *
 * @param keys the columns with their cells
 * @param measure the column whose values are added up; null where rows are counted
 * @param where the condition that the rows pass
 * @param together the most columns that are together in a table; null for one table of all columns
 */
record SynopsisCells(
        List<AggregateKey> keys,
        Column.@Nullable Numeric measure,
        Where where,
        BigDecimal beta,
        @Nullable Integer together) {
    /** The most columns of a synopsis. */
    static final int MAX_COLUMNS = 40;

    private static final int MAX_CELLS = 1_000_000;

    /** The most edges. The question is read again whenever the synopsis is shown. */
    private static final int MAX_EDGES = 100_001;

    private static final long MAX_MARGINAL_CELLS = 5_000_000;

    /** The most cells of one table with all sums along its columns, which take memory too. */
    private static final double MAX_WITH_SUMS = 4_000_000;

    private static final Field<Elements<ObjectReader>> COLUMNS = Field.required(
            "columns",
            FieldType.elements(AggregateKey.CELLS, 1, MAX_COLUMNS),
            "With at most 100,001 edges together. Without `marginals`, all of them are in one table, which has at most"
                    + " 1,000,000 cells.");
    private static final Field<Integer> MARGINALS = Field.optional(
            "marginals",
            FieldType.integer(1, 3),
            "All tables of at most this many of the columns. They have at most 5,000,000 cells together.");
    private static final Field<String> SUM =
            Field.required("sum", FieldType.text(1, 128), "A column of numbers.", "minutes");
    private static final Field<ObjectReader> MEASURE = Field.optional(
            "measure",
            FieldType.object(new Shape.ObjectOf(
                    "SynopsisMeasure",
                    "What is added up in each cell instead of counting its rows. Not together with `marginals`.",
                    List.of(SUM))),
            "");

    /** The fields as the API describes them. */
    static final List<Field<?>> FIELDS = List.of(COLUMNS, MARGINALS, MEASURE);

    /** Reads the fields; the caller completes the object. */
    static Optional<SynopsisCells> read(ObjectReader in, Dataset dataset) {
        Optional<BigDecimal> beta = in.read(Beta.FIELD);
        Optional<Where> where = Where.read(in, dataset);
        Set<String> names = new HashSet<>();
        Optional<List<AggregateKey>> keys = in.read(COLUMNS)
                .flatMap(all -> all.read(each ->
                        AggregateKey.readCells(each, dataset, MAX_CELLS).filter(key -> requireNew(each, key, names))));
        Optional<Integer> together = in.read(MARGINALS);
        Optional<Column.Numeric> measure = in.read(MEASURE).flatMap(inner -> {
            Optional<Column.Numeric> column = Columns.numbers(inner, SUM, dataset);
            return inner.complete(column::orElseThrow);
        });
        if (in.has(MEASURE) && in.has(MARGINALS)) {
            in.refuse(MEASURE, "measure and marginals exclude each other: tables of all columns together hold sums");
        }
        measure.filter(column -> !contents(column).fits(dataset.maxRows()))
                .ifPresent(column -> in.refuse(
                        MEASURE, "the sum of \"" + column.name() + "\" over maxRows rows can have more than 60 bits"));
        keys.ifPresent(known -> refuseIfTooLarge(in, known, together));
        refuseManyEdges(in);
        return keys.filter(known -> in.isIntact())
                .map(known -> new SynopsisCells(
                        known, measure.orElse(null), where.orElseThrow(), beta.orElseThrow(), together.orElse(null)));
    }

    private static boolean requireNew(ObjectReader in, AggregateKey key, Set<String> names) {
        boolean isNew = names.add(key.column().name());
        if (!isNew) {
            in.refuse(ChosenCells.COLUMN, "\"" + key.column().name() + "\" occurs twice");
        }
        return isNew;
    }

    private static void refuseIfTooLarge(ObjectReader in, List<AggregateKey> keys, Optional<Integer> together) {
        if (together.isPresent()) {
            double cells = sumOfProducts(keys, together.orElseThrow());
            if (cells > MAX_MARGINAL_CELLS) {
                in.refuse(
                        COLUMNS,
                        "all tables of at most " + together.orElseThrow() + " columns must have at most "
                                + MAX_MARGINAL_CELLS + " cells together, had " + shown(cells));
            }
            return;
        }
        double cells = product(keys, 0);
        double withSums = product(keys, 1);
        if (cells > MAX_CELLS || withSums > MAX_WITH_SUMS) {
            in.refuse(
                    COLUMNS,
                    "the table must have at most " + MAX_CELLS + " cells, and at most 4000000 with its sums along all"
                            + " columns; it had " + shown(cells) + " and " + shown(withSums)
                            + ". \"marginals\" makes tables of fewer columns");
        }
    }

    private static void refuseManyEdges(ObjectReader in) {
        if (in.sent().members().get(COLUMNS.name()) instanceof JsonArray(List<JsonValue> columns)) {
            long edges = columns.stream()
                    .map(column -> column instanceof JsonObject(Map<String, JsonValue> fields)
                            ? fields.get(HistogramQuery.EDGES.name())
                            : null)
                    .mapToLong(sent -> sent instanceof JsonArray(List<JsonValue> each) ? each.size() : 0)
                    .sum();
            if (edges > MAX_EDGES) {
                in.refuse(
                        COLUMNS,
                        "all columns must have at most " + MAX_EDGES + " edges together, had " + edges
                                + "; \"step\" makes edges that are not sent");
            }
        }
    }

    private static String shown(double cells) {
        return BigDecimal.valueOf(cells).toBigInteger().toString();
    }

    private static double product(List<AggregateKey> keys, int more) {
        return keys.stream().mapToDouble(key -> key.groups() + more).reduce(1, (one, other) -> one * other);
    }

    /** The cells of all tables of at most {@code together} columns: the elementary symmetric sums. */
    private static double sumOfProducts(List<AggregateKey> keys, int together) {
        double[] ofSize = new double[together + 1];
        ofSize[0] = 1;
        for (AggregateKey key : keys) {
            for (int size = together; size > 0; size--) {
                ofSize[size] += ofSize[size - 1] * key.groups();
            }
        }
        return IntStream.rangeClosed(1, together)
                .mapToDouble(size -> ofSize[size])
                .sum();
    }

    private static NoisySynopsis.Contents contents(Column.Numeric measure) {
        return new NoisySynopsis.Contents(true, measure.lower(), measure.upper());
    }

    /** The grid of what the cells hold. */
    Grid grid() {
        return measure == null ? Grid.ONE : measure.grid();
    }

    /** What the mechanism has to know of the cells. */
    NoisySynopsis.Contents contents() {
        return measure == null ? NoisySynopsis.Contents.counts(leavesOut()) : contents(measure);
    }

    /**
     * The rows that a table is about. All tables are about the same rows: the rows that are in a cell of every column.
     * The keys of a table leave out rows outside the cells of its own columns. This filter leaves out rows outside the
     * cells of the other columns, and rows that do not pass the condition.
     *
     * @param divided the places of these columns
     */
    Filter rows(List<Integer> divided) {
        Filter rows = where.filter();
        for (int place = 0; place < keys.size(); place++) {
            rows = divided.contains(place) ? rows : keys.get(place).within(rows);
        }
        return rows;
    }

    /** Whether rows can be in no cell. */
    boolean leavesOut() {
        return where.filter().isSelective() || keys.stream().anyMatch(AggregateKey::leavesOut);
    }

    /** The strategies for these cells. */
    NoisySynopsis.Plan plan() {
        List<Integer> cells = keys.stream().map(AggregateKey::groups).toList();
        return together == null ? NoisySynopsis.Plan.ofRanges(cells) : NoisySynopsis.Plan.ofMarginals(cells, together);
    }

    /** How many tables can be read. */
    long tables() {
        return together == null
                ? 1
                : Math.round(IntStream.rangeClosed(1, Math.min(together, keys.size()))
                        .mapToDouble(size -> binomial(keys.size(), size))
                        .sum());
    }

    private static double binomial(int of, int chosen) {
        return IntStream.range(0, chosen).mapToDouble(i -> (of - i) / (i + 1.0)).reduce(1, (one, other) -> one * other);
    }

    /** How many cells the tables have. */
    long cells() {
        return Math.round(together == null ? product(keys, 0) : sumOfProducts(keys, together));
    }
}
