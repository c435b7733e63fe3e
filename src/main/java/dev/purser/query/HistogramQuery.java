package dev.purser.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.dataset.BlockColumn;
import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.Dataset;
import dev.purser.engine.Filter;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.mechanism.NoisyHistogram;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Grid;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** How many rows are in each of many bins? */
public final class HistogramQuery {
    private static final int MAX_BINS = 100_000;

    /** The edges of bins. */
    public static final Field<Elements<ValueReader>> EDGES = Field.optional(
            "edges",
            FieldType.elements(FieldType.unread(ColumnValue.SHAPE), 2, MAX_BINS + 1)
                    .orNone(),
            "For a column of numbers, dates or timestamps: 2 to 100,001 strictly ascending multiples of its"
                    + " resolution. A bin holds values from one edge up to, and without, the next. Values"
                    + " outside all edges are not counted.",
            List.of(0, 20, 40, 125));

    public static final QuestionKind KIND = new QuestionKind(
            "histogram",
            "How many rows are in each of many bins?",
            "One charge whatever the number of bins, each with discrete Laplace noise. Numbers need `edges`; categories"
                    + " have a bin each, and so have the blocks of a dataset that is divided into them.",
            List.of(
                    Columns.field("A column of numbers, dates or timestamps, with edges; or of categories or truth"
                            + " values, without. The column that divides a dataset into blocks has a bin for each block"
                            + " without edges."),
                    EDGES),
            QuestionKind.Example.ofVisits("""
                    {"epsilon": "0.2", "column": "age", "edges": [0, 20, 40, 60, 80, 111], "reuse": true}"""),
            Value.class,
            false,
            HistogramQuery::read,
            Optional.of(new HistogramCsv()));

    private HistogramQuery() {}

    /** The answer's value. */
    @Schema(name = "HistogramAnswerValue", description = "Noisy counts of all bins.")
    public record Value(
            @Schema(description = "In the order of the edges, of the categories as registered, or of the blocks.")
            List<Bin> bins) {}

    /** One bin: between two edges, for one category, or for one block. */
    @Schema(name = "HistogramBin", description = "A noisy count of one bin.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Bin(
            @Schema(description = "Values of at least this; with edges.", example = "20") @Nullable
            ColumnValue lower,

            @Schema(description = "Values less than this; with edges.", example = "30") @Nullable
            ColumnValue upper,

            @Schema(
                    description = "In a column of categories, or of truth values: \"false\" or \"true\".",
                    example = "Female")
            @Nullable
            String category,

            @Schema(description = "In the block column, without edges: the label of a block.", example = "2026-03-01")
            @Nullable
            String block,

            @Schema(description = "The noisy count. It is unbiased, and can be below zero.", example = "5820")
            BigInteger count,

            Interval interval) {}

    /**
     * The edges of the bins, in the stored integers of a column. Edges between categories are computed on demand.
     *
     * @param blocks the blocks, if the bins are blocks; otherwise null
     */
    private record Bins(
            Column column,
            Supplier<long[]> edgesOf,
            @Nullable Blocks blocks) {
        long[] edges() {
            return edgesOf.get();
        }
    }

    private static Optional<Draft> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        // The field is read here in any case, so that it does not count as an unknown field.
        in.know(EDGES);
        Optional<Bins> bins = Columns.any(in, dataset).flatMap(column -> switch (column) {
            case Column.Numeric ordered ->
                ofBlocks(in, ordered, dataset)
                        .map(divided -> new Bins(
                                ordered, () -> divided.edges(divided.blocks().all()), divided.blocks()))
                        .or(() -> betweenEdges(in, ordered));
            case Column.Category category -> ofCategories(in, category);
        });
        return in.complete(() -> draft(common, bins.orElseThrow(), dataset));
    }

    /** The column, if it divides the dataset into blocks and the request has no edges; otherwise empty. */
    static Optional<BlockColumn> ofBlocks(ObjectReader in, Column.Numeric column, Dataset dataset) {
        return dataset.blockColumn().filter(divided -> divided.column().equals(column) && !in.has(EDGES));
    }

    private static Optional<Bins> betweenEdges(ObjectReader in, Column.Numeric column) {
        return ascending(in, column).map(edges -> new Bins(column, () -> edges, null));
    }

    /** Reads the edges of bins of a column. */
    static Optional<long[]> ascending(ObjectReader in, Column.Numeric column) {
        return in.required(EDGES)
                .flatMap(sent -> sent.read(column.notation()::read))
                .flatMap(edges -> {
                    for (int i = 1; i < edges.size(); i++) {
                        if (edges.get(i - 1) >= edges.get(i)) {
                            in.refuse(
                                    EDGES,
                                    "edges must be strictly ascending, was "
                                            + column.notation().shown(edges.get(i)) + " after "
                                            + column.notation().shown(edges.get(i - 1)));
                            return Optional.empty();
                        }
                    }
                    return Optional.of(edges.stream().mapToLong(Long::longValue).toArray());
                });
    }

    private static Optional<Bins> ofCategories(ObjectReader in, Column.Category column) {
        int categories = column.categories().size();
        if (in.has(EDGES)) {
            in.refuse(
                    EDGES,
                    "edges are for columns of numbers, dates or timestamps; \"" + column.name() + "\" of type "
                            + column.type() + " has a bin for each category");
            return Optional.empty();
        }
        return Optional.of(
                new Bins(column, () -> LongStream.rangeClosed(0, categories).toArray(), null));
    }

    private static Draft draft(CommonFields common, Bins bins, Dataset dataset) {
        Filter filter = common.where().filter();
        BucketPlan plan = new BucketPlan();
        int table = plan.table(bins.column(), filter);
        return allowance -> {
            NoisyHistogram mechanism = new NoisyHistogram(
                    allowance,
                    table,
                    filter.isSelective(),
                    bins.edges(),
                    dataset.neighborhood(),
                    common.beta().doubleValue());
            BigInteger alpha = mechanism.alphaSteps();
            return Question.of(
                            KIND,
                            allowance,
                            mechanism,
                            Grid.ONE,
                            plan,
                            accuracy(alpha, common.beta()),
                            answer -> value(answer.counts(), bins, alpha))
                    .asking(statistic(common, bins));
        };
    }

    /** The statistic that a synopsis can have too; null if the bins are blocks. */
    private static @Nullable AskedStatistic statistic(CommonFields common, Bins bins) {
        long[] edges = bins.column() instanceof Column.Numeric ? bins.edges() : new long[0];
        return bins.blocks() == null
                ? new AskedStatistic.Histogram(common.beta(), common.where(), bins.column(), edges)
                : null;
    }

    private static Value value(List<BigInteger> counts, Bins bins, BigInteger alpha) {
        List<Bin> shown = new ArrayList<>(counts.size());
        for (int i = 0; i < counts.size(); i++) {
            shown.add(bin(i, counts.get(i), bins, alpha));
        }
        return new Value(shown);
    }

    private static Accuracy accuracy(BigInteger alpha, BigDecimal beta) {
        return Accuracy.ofValue(
                new BigDecimal(alpha),
                beta,
                "The exact counts of all bins are within " + alpha
                        + " of the answer, all of them together, except with probability at most "
                        + beta.toPlainString() + ".");
    }

    private static Bin bin(int i, BigInteger noisy, Bins bins, BigInteger alpha) {
        BigInteger count = CountQuery.shown(noisy);
        Interval interval = Interval.around(noisy, alpha);
        Blocks blocks = bins.blocks();
        if (blocks != null) {
            return new Bin(null, null, null, blocks.label(i), count, interval);
        }
        return switch (bins.column()) {
            case Column.Numeric ordered ->
                new Bin(
                        ordered.notation().shown(bins.edges()[i]),
                        ordered.notation().shown(bins.edges()[i + 1]),
                        null,
                        null,
                        count,
                        interval);
            case Column.Category category ->
                new Bin(null, null, category.categories().get(i), null, count, interval);
        };
    }
}
