package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.json.JsonDocument;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.NoisySynopsis;
import dev.purser.privacy.Epsilon;
import dev.purser.query.FreeOffers.Wanted;
import dev.purser.query.HistogramQuery;
import dev.purser.query.Range;
import dev.purser.query.SynopsisQuery;
import dev.purser.query.Where;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The cells that a synopsis needs to answer all counts and histograms of a plan: as few as possible.
 *
 * @param blocks what the plan is about, as its questions name it; missing for a dataset without blocks
 * @param edges by column of numbers or times, the stored integers that divide it; none for a column of categories
 */
record PlannedCells(Dataset dataset, JsonNode blocks, SortedMap<String, SortedSet<Long>> edges) {
    private static final int MAX_COLUMNS = 3;
    private static final int MAX_CELLS = 100_000;

    /** The cells for a plan; empty if it has other questions, is about several blocks, or needs too many cells. */
    static Optional<PlannedCells> of(Dataset dataset, List<Wanted> plan) {
        JsonNode blocks = Translation.request(plan.getFirst().question()).path(Synopsis.BLOCKS);
        PlannedCells cells = new PlannedCells(dataset, blocks, new TreeMap<>());
        boolean areCounted = plan.stream()
                .allMatch(each ->
                        cells.add(each.question().question().kind().name(), Translation.request(each.question())));
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

    /** Adds what a question needs; false if it is no count of rows and no histogram of all rows. */
    private boolean add(String kind, JsonNode request) {
        if (!request.path(Synopsis.BLOCKS).equals(blocks) || Translation.isOfUnits(request, dataset)) {
            return false;
        }
        Where where = where(request);
        where.ranges().forEach(this::add);
        where.categories().keySet().forEach(column -> edges.put(column.name(), new TreeSet<>()));
        if (kind.equals("histogram")) {
            if (dataset.column(request.get("column").asString()).orElseThrow() instanceof Column.Numeric column) {
                if (!request.has("edges")) {
                    return false;
                }
                histogramEdges(request, column).forEach(edge -> addEdge(column, edge));
            } else {
                edges.put(request.get("column").asString(), new TreeSet<>());
            }
            return request.get("where").isEmpty();
        }
        return kind.equals("count");
    }

    private Where where(JsonNode request) {
        return read(request, "where", in -> Where.read(in, dataset));
    }

    private List<Long> histogramEdges(JsonNode request, Column.Numeric column) {
        return read(
                request,
                "edges",
                in -> in.required(HistogramQuery.EDGES).flatMap(sent -> sent.read(column.notation()::read)));
    }

    /** Reads one field of a canonical request. */
    private static <T> T read(JsonNode request, String field, Function<ObjectReader, Optional<T>> reader) {
        ObjectNode own = JsonMapper.shared().createObjectNode();
        own.set(field, request.get(field));
        return JsonDocument.parse(own.toString().getBytes(StandardCharsets.UTF_8))
                .read(reader);
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
        if (!blocks.isMissingNode()) {
            request.set(Synopsis.BLOCKS, blocks);
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

    /** The synopsis as it would be, without its numbers. */
    Synopsis synopsis(NoisySynopsis mechanism, Epsilon epsilon) {
        String request = request(epsilon);
        return new Synopsis(
                "",
                dataset,
                JsonDocument.parse(request.getBytes(StandardCharsets.UTF_8))
                        .read(in -> SynopsisQuery.readCells(in, dataset)),
                request,
                blocks,
                mechanism.columns(),
                List.of());
    }
}
