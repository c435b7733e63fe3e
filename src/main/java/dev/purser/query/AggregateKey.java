package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.Dataset;
import dev.purser.engine.GroupKey;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A key of a table's groups: the categories of a column, or the ranges between public edges. No key is read off the
 * rows.
 */
record AggregateKey(Column column, long[] edges) {
    static final int MAX_GROUPS = 100_000;

    private static final String STEP = "step";

    /** A key as the API describes it. */
    static final FieldType TYPE = new FieldType.ObjectOf(
            "GroupKey",
            Columns.field("A column of categories or truth values, all of which are groups; or of numbers, dates or"
                    + " timestamps, with exactly one of `edges` and `step`."),
            Field.optional(
                            HistogramQuery.EDGES,
                            new FieldType.ListOf(ColumnValue.TYPE),
                            "2 or more strictly ascending multiples of the column's resolution. A group holds values"
                                    + " from one edge up to, and without, the next. Values outside all edges are in no"
                                    + " group.")
                    .withExample(List.of(0, 30, 50, 111)),
            Field.optional(
                            STEP,
                            FieldType.NUMBER,
                            "Edges at this distance, from the column's `lower` to above its `upper`: a multiple of the"
                                    + " resolution, above zero; of dates in days, of timestamps in seconds.")
                    .withoutExample());

    /** A group's place in one key. */
    @Schema(name = "GroupKeyValue", description = "A group's place in one key. What is not meant is null.")
    public record Value(
            @Schema(description = "In a column of categories, or of truth values.", example = "Female") @Nullable
            String category,

            @Schema(description = "With edges or steps: values of at least this.", example = "30") @Nullable
            ColumnValue lower,

            @Schema(description = "With edges or steps: values less than this.", example = "50") @Nullable
            ColumnValue upper,

            @Schema(description = "On a dataset with blocks: the block.", example = "2026-03-01") @Nullable
            String block) {}

    static Optional<AggregateKey> read(ObjectReader in, Dataset dataset) {
        Optional<Column> column = Columns.any(in, dataset);
        // Both fields are read here in any case, so that they do not count as unknown fields.
        in.optional(HistogramQuery.EDGES);
        in.optional(STEP);
        Optional<long[]> edges = column.flatMap(known -> switch (known) {
            case Column.Numeric numeric -> edges(in, numeric);
            case Column.Category category -> categories(in, category);
        });
        return in.complete(() -> new AggregateKey(column.orElseThrow(), edges.orElseThrow()));
    }

    private static Optional<long[]> categories(ObjectReader in, Column.Category column) {
        for (String ofNumbers : List.of(HistogramQuery.EDGES, STEP)) {
            if (in.hasElements(ofNumbers)) {
                in.refuse(
                        ofNumbers,
                        ofNumbers + " is for columns of numbers, dates or timestamps; \"" + column.name()
                                + "\" of type " + column.type() + " has a group for each category");
            }
        }
        return Optional.of(LongStream.rangeClosed(0, column.categories().size()).toArray());
    }

    private static Optional<long[]> edges(ObjectReader in, Column.Numeric column) {
        boolean hasStep = in.has(STEP);
        if (hasStep == in.hasElements(HistogramQuery.EDGES)) {
            in.refuse("exactly one of \"edges\" and \"step\" is required for \"" + column.name() + "\" of type "
                    + column.type());
            return Optional.empty();
        }
        return hasStep
                ? step(in, column).map(step -> steps(column, step))
                : HistogramQuery.ascending(in, column, MAX_GROUPS);
    }

    private static Optional<Long> step(ObjectReader in, Column.Numeric column) {
        long least = (column.upper() - column.lower()) / MAX_GROUPS + 1;
        return in.required(STEP).decimal().flatMap(sent -> {
            Optional<Long> steps = column.grid().toGrid(sent).filter(step -> step >= least);
            if (steps.isEmpty()) {
                in.refuse(
                        STEP,
                        STEP + " must be a multiple of " + column.notation().distance(1) + ", at least "
                                + column.notation().distance(least) + ", was " + sent.toPlainString());
            }
            return steps;
        });
    }

    private static long[] steps(Column.Numeric column, long step) {
        int groups = Math.toIntExact((column.upper() - column.lower()) / step + 1);
        return IntStream.rangeClosed(0, groups)
                .mapToLong(i -> column.lower() + i * step)
                .toArray();
    }

    int groups() {
        return edges.length - 1;
    }

    /** Whether rows can be in no group of this key. */
    boolean leavesOut() {
        return column instanceof Column.Numeric numeric
                && (edges[0] > numeric.lower() || edges[groups()] <= numeric.upper());
    }

    GroupKey ofEngine() {
        return new GroupKey(column, edges);
    }

    /** The columns of CSV. */
    List<String> headers() {
        return column instanceof Column.Category
                ? List.of(column.name())
                : List.of(column.name() + ".lower", column.name() + ".upper");
    }

    /** The places of all its groups, in order. */
    List<Value> values() {
        return IntStream.range(0, groups())
                .mapToObj(i -> switch (column) {
                    case Column.Category category ->
                        new Value(category.categories().get(i), null, null, null);
                    case Column.Numeric numeric ->
                        new Value(
                                null,
                                numeric.notation().shown(edges[i]),
                                numeric.notation().shown(edges[i + 1]),
                                null);
                })
                .toList();
    }
}
