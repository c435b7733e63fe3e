package dev.purser.query;

import dev.purser.dataset.BlockColumn;
import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Notation;
import dev.purser.engine.Filter;
import dev.purser.engine.GroupKey;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import dev.purser.privacy.Blocks;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * A key of a table's groups: the categories of a column, the ranges between public edges, or the blocks that are asked
 * about. No key is read off the rows. Edges are computed when they are needed, because a small request can have many.
 *
 * @param edge the edge at each position from 0 to the number of groups; strictly ascending
 * @param blocks the blocks, if the groups are blocks; otherwise null
 */
public record AggregateKey(
        Column column,
        int groups,
        IntToLongFunction edge,
        @Nullable Blocks blocks) {
    static final int MAX_GROUPS = 100_000;

    private static final Field<BigDecimal> STEP = Field.optional(
                    "step",
                    FieldType.NUMBER,
                    "Edges at this distance, from the column's `lower` to above its `upper`: a multiple of"
                            + " the resolution, above zero; of dates in days, of timestamps in seconds.")
            .withoutExample();

    private static final Field<Elements<ValueReader>> EDGES = HistogramQuery.EDGES
            .describedAs("2 or more strictly ascending multiples of the column's resolution. A group holds values from"
                    + " one edge up to, and without, the next. Values outside all edges are in no group.")
            .withExample(List.of(0, 30, 50, 111));

    /** The most bytes of the names and signs of a place in an answer. */
    private static final int VALUE_BYTES = 60;

    /** The bytes for a fraction, which an edge between two short edges can have. */
    private static final int DECIMALS = 10;

    /** A key as the API describes it. */
    static final FieldType<ObjectReader> TYPE = described(
            "GroupKey",
            "A column of categories or truth values, all of which are groups; or of numbers, dates or timestamps, with"
                    + " exactly one of `edges` and `step`. The column that divides a dataset into blocks has a group"
                    + " for each block without them.");

    /** The cells of a column as the API describes them. */
    public static final FieldType<ObjectReader> CELLS = described(
            "CellKey",
            "A column of categories or truth values, all of which are cells; or of numbers, dates or timestamps, where"
                    + " every value is a cell, or with one of `edges` and `step` every range.");

    private static FieldType<ObjectReader> described(String name, String column) {
        return FieldType.object(new Shape.ObjectOf(name, Columns.field(column), EDGES, STEP));
    }

    /** A group's place in one key. */
    @Schema(name = "GroupKeyValue", description = "A group's place in one key. What is not meant is null.")
    public record Value(
            @Schema(description = "In a column of categories, or of truth values.", example = "Female") @Nullable
            String category,

            @Schema(description = "With edges or steps: values of at least this.", example = "30") @Nullable
            ColumnValue lower,

            @Schema(description = "With edges or steps: values less than this.", example = "50") @Nullable
            ColumnValue upper,

            @Schema(
                    description = "In the block column, without edges and step: the label of a block.",
                    example = "2026-03-01")
            @Nullable
            String block) {}

    /** A key whose groups are not blocks. */
    private AggregateKey(Column column, int groups, IntToLongFunction edge) {
        this(column, groups, edge, null);
    }

    /** Reads a key of at most {@link #MAX_GROUPS} groups. Numbers that are not blocks need edges or a step. */
    static Optional<AggregateKey> read(ObjectReader in, Dataset dataset) {
        return read(
                in,
                dataset,
                (reader, column) -> HistogramQuery.ofBlocks(reader, column, dataset)
                        .map(AggregateKey::ofBlocks)
                        .or(() -> ofNoEdges(reader, column)),
                MAX_GROUPS);
    }

    /**
     * Reads a key that can also have a group for every value of a column of numbers, dates or timestamps.
     *
     * @param most the most groups
     */
    public static Optional<AggregateKey> readCells(ObjectReader in, Dataset dataset, int most) {
        return read(in, dataset, (reader, column) -> ofValues(reader, column, most), most);
    }

    private static Optional<AggregateKey> read(
            ObjectReader in,
            Dataset dataset,
            BiFunction<ObjectReader, Column.Numeric, Optional<AggregateKey>> withoutEdges,
            int most) {
        Optional<Column> column = Columns.any(in, dataset);
        // Both fields are read here in any case, so that they do not count as unknown fields.
        in.know(EDGES, STEP);
        Optional<AggregateKey> key = column.flatMap(known -> switch (known) {
            case Column.Numeric numeric ->
                in.has(STEP) || in.has(EDGES) ? ofRanges(in, numeric, most) : withoutEdges.apply(in, numeric);
            case Column.Category category -> ofCategories(in, category);
        });
        return in.complete(key::orElseThrow);
    }

    /** Whether each group has rows of one block only. */
    boolean isOfBlocks() {
        return blocks != null;
    }

    private static AggregateKey ofBlocks(BlockColumn divided) {
        Blocks blocks = divided.blocks();
        return new AggregateKey(divided.column(), blocks.count(), divided::start, blocks);
    }

    private static Optional<AggregateKey> ofCategories(ObjectReader in, Column.Category column) {
        for (Field<?> ofNumbers : List.of(EDGES, STEP)) {
            if (in.has(ofNumbers)) {
                in.refuse(
                        ofNumbers,
                        ofNumbers.name() + " is for columns of numbers, dates or timestamps; \"" + column.name()
                                + "\" of type " + column.type() + " has a group for each category");
            }
        }
        return Optional.of(new AggregateKey(column, column.categories().size(), position -> position));
    }

    private static Optional<AggregateKey> ofRanges(ObjectReader in, Column.Numeric column, int most) {
        boolean hasStep = in.has(STEP);
        if (hasStep && in.has(EDGES)) {
            return ofNoEdges(in, column);
        }
        return hasStep
                ? step(in, column, most).map(step -> ofSteps(column, step))
                : HistogramQuery.ascending(in, column)
                        .map(edges -> new AggregateKey(column, edges.length - 1, position -> edges[position]));
    }

    private static Optional<AggregateKey> ofNoEdges(ObjectReader in, Column.Numeric column) {
        in.refuse("exactly one of \"edges\" and \"step\" is required for \"" + column.name() + "\" of type "
                + column.type());
        return Optional.empty();
    }

    private static Optional<AggregateKey> ofValues(ObjectReader in, Column.Numeric column, int most) {
        long values = column.upper() - column.lower() + 1;
        if (values > most || !canBeSent(column, column.upper() + 1)) {
            in.refuse(
                    Columns.ORDERED,
                    "\"" + column.name() + "\" has " + values + " values, and a column can have at most " + most
                            + " cells, with edges before the year 10000 where they are times; send \"edges\" or a"
                            + " \"step\"");
            return Optional.empty();
        }
        return Optional.of(ofSteps(column, 1));
    }

    private static AggregateKey ofSteps(Column.Numeric column, long step) {
        int groups = Math.toIntExact((column.upper() - column.lower()) / step + 1);
        return new AggregateKey(column, groups, position -> column.lower() + position * step);
    }

    /** The edge after the last value can lie beyond the year 9999, which no request and no upload can name. */
    private static boolean canBeSent(Column.Numeric column, long edge) {
        return !(column.notation() instanceof Notation.Times times)
                || times.numberInUpload(times.shown(edge).toString()).isPresent();
    }

    /** Reads a step that makes at most {@code most} groups, and whose edges can all be written. */
    private static Optional<Long> step(ObjectReader in, Column.Numeric column, int most) {
        long width = column.upper() - column.lower();
        long least = width / most + 1;
        return in.read(STEP).flatMap(sent -> {
            Optional<Long> steps = column.grid()
                    .toGrid(sent)
                    .filter(step -> step >= least && step <= width + 1)
                    .filter(step -> canBeSent(column, column.lower() + (width / step + 1) * step));
            if (steps.isEmpty()) {
                in.refuse(
                        STEP,
                        "step must be a multiple of " + column.notation().distance(1) + " from "
                                + column.notation().distance(least) + " to "
                                + column.notation().distance(width + 1) + ", with a last edge before the year 10000"
                                + " where edges are times, was " + sent.toPlainString());
            }
            return steps;
        });
    }

    /** Whether rows can be in no group of this key. */
    public boolean leavesOut() {
        return column instanceof Column.Numeric numeric
                && (edge.applyAsLong(0) > numeric.lower() || edge.applyAsLong(groups) <= numeric.upper());
    }

    /** The rows that pass {@code rows} and are in a group of this key. */
    public Filter within(Filter rows) {
        return leavesOut() && column instanceof Column.Numeric numeric
                ? rows.and(new Filter.Between(numeric, edge.applyAsLong(0), edge.applyAsLong(groups)))
                : rows;
    }

    /** Whether the values of the column can be added up. */
    public boolean hasNumbers() {
        return column instanceof Column.Numeric numeric && numeric.notation() instanceof Notation.Numbers;
    }

    /** The key in the form that an engine takes. */
    public GroupKey ofEngine() {
        return new GroupKey(
                column, IntStream.rangeClosed(0, groups).mapToLong(edge).toArray());
    }

    /** The names of its columns in CSV. */
    public List<String> headers() {
        if (blocks != null) {
            return List.of(column.name() + ".block");
        }
        return column instanceof Column.Category
                ? List.of(column.name())
                : List.of(column.name() + ".lower", column.name() + ".upper");
    }

    /** The place of a group. */
    public Value value(int group) {
        if (blocks != null) {
            return new Value(null, null, null, blocks.label(group));
        }
        return switch (column) {
            case Column.Category category -> new Value(category.categories().get(group), null, null, null);
            case Column.Numeric numeric -> new Value(null, shown(numeric, group), shown(numeric, group + 1), null);
        };
    }

    /** The place of the neighbouring groups {@code from <= i < to}: a range, or the one category {@code from}. */
    public Value between(int from, int to) {
        return switch (column) {
            case Column.Category _ -> value(from);
            case Column.Numeric numeric -> new Value(null, shown(numeric, from), shown(numeric, to), null);
        };
    }

    private ColumnValue shown(Column.Numeric numeric, int position) {
        return numeric.notation().shown(edge.applyAsLong(position));
    }

    /** The most bytes that the places of all groups together take in an answer. */
    long bytes() {
        return switch (column) {
            case Column.Category category ->
                category.categories().stream()
                        .mapToLong(name -> JsonStringEncoder.getInstance().quoteAsUTF8(name).length + VALUE_BYTES)
                        .sum();
            case Column.Numeric numeric -> {
                int longest = Math.max(
                        shown(numeric, 0).toString().length(),
                        shown(numeric, groups).toString().length());
                yield (long) groups * (2 * longest + DECIMALS + VALUE_BYTES);
            }
        };
    }
}
