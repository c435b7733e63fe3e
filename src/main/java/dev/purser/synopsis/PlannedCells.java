package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.json.JsonDocument;
import dev.purser.mechanism.NoisySynopsis;
import dev.purser.privacy.Epsilon;
import dev.purser.query.AllowanceFields;
import dev.purser.query.AskedBlocks;
import dev.purser.query.AskedStatistic;
import dev.purser.query.Draft;
import dev.purser.query.FreeOffers.Wanted;
import dev.purser.query.QuestionRequest;
import dev.purser.query.Range;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The cells that a synopsis needs to answer all counts and histograms of a plan: as few as possible.
 *
 * @param blocks the blocks that the plan is about; null for a dataset without blocks
 * @param edges by column, the stored integers that divide its numbers or times; none for a column of categories
 */
record PlannedCells(Dataset dataset, @Nullable AskedBlocks blocks, SortedMap<String, SortedSet<Long>> edges) {
    private static final int MAX_COLUMNS = 3;
    private static final int MAX_CELLS = 100_000;

    /**
     * The cells for a plan; empty if it has other questions, its questions have different blocks, or it needs too many
     * cells.
     */
    static Optional<PlannedCells> of(Dataset dataset, List<Wanted> plan) {
        QuestionRequest first = plan.getFirst().question();
        PlannedCells cells = new PlannedCells(dataset, first.blocks(), new TreeMap<>());
        boolean areCounted = plan.stream()
                .map(Wanted::question)
                .allMatch(each -> each.window().equals(first.window())
                        && cells.add(each.question().statistic()));
        return Optional.of(cells).filter(found -> areCounted && found.areFew());
    }

    private boolean areFew() {
        double cells = edges.keySet().stream().mapToDouble(this::cells).reduce(1, (one, other) -> one * other);
        return !edges.isEmpty() && edges.size() <= MAX_COLUMNS && cells <= MAX_CELLS;
    }

    private int cells(String name) {
        return switch (dataset.column(name).orElseThrow()) {
            case Column.Category category -> category.categories().size();
            case Column.Numeric _ -> edges.getOrDefault(name, new TreeSet<>()).size() - 1;
        };
    }

    /** Adds the cells that a question needs; false unless it is a count of rows or a histogram of all rows. */
    private boolean add(@Nullable AskedStatistic asked) {
        return switch (asked) {
            case AskedStatistic.Count count -> {
                count.where().ranges().forEach(this::add);
                count.where().categories().keySet().forEach(column -> edges.put(column.name(), new TreeSet<>()));
                yield true;
            }
            case AskedStatistic.Histogram histogram -> {
                if (histogram.column() instanceof Column.Numeric column) {
                    LongStream.of(histogram.edges()).forEach(edge -> addEdge(column, edge));
                } else {
                    edges.put(histogram.column().name(), new TreeSet<>());
                }
                yield histogram.where().isEmpty();
            }
            case null, default -> false;
        };
    }

    private void add(Column.Numeric column, Range range) {
        addEdge(column, range.from());
        addEdge(column, range.to());
    }

    private void addEdge(Column.Numeric column, long edge) {
        SortedSet<Long> known = edges.computeIfAbsent(
                column.name(), unseen -> new TreeSet<>(List.of(column.lower(), column.upper() + 1)));
        if (edge > column.lower() && edge <= column.upper()) {
            known.add(edge);
        }
    }

    /** The request that buys a synopsis of these cells. */
    String request(Epsilon epsilon) {
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("epsilon", epsilon.toString());
        if (blocks != null) {
            request.putPOJO(AskedBlocks.FIELD.name(), blocks.shown(dataset));
        }
        ArrayNode columns = request.putArray("columns");
        for (Map.Entry<String, SortedSet<Long>> each : edges.entrySet()) {
            ObjectNode column = columns.addObject().put("column", each.getKey());
            if (dataset.column(each.getKey()).orElseThrow() instanceof Column.Numeric numeric) {
                ArrayNode shown = column.putArray("edges");
                each.getValue()
                        .forEach(edge ->
                                shown.addPOJO(numeric.notation().shown(edge).json()));
            }
        }
        return JsonMapper.shared().writeValueAsString(request);
    }

    /** The same cells, read from the request that buys them. */
    SynopsisCells asBought() {
        byte[] request = request(AllowanceFields.MOST_EPSILON).getBytes(StandardCharsets.UTF_8);
        return JsonDocument.parse(request).read(in -> SynopsisCells.read(in, dataset));
    }

    /** The purchase of these cells. */
    Draft draft(SynopsisCells bought) {
        return SynopsisQuery.draft(bought, AskedBlocks.seen(dataset, Optional.ofNullable(blocks)));
    }

    /** The synopsis as it would be, without its numbers. */
    Synopsis synopsis(SynopsisCells bought, NoisySynopsis mechanism) {
        return new Synopsis(
                "", dataset, bought, "", blocks == null ? null : blocks.window(), mechanism.columns(), List.of());
    }
}
