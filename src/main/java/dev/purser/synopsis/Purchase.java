package dev.purser.synopsis;

import dev.purser.dataset.Dataset;
import dev.purser.json.JsonDocument;
import dev.purser.mechanism.Grain;
import dev.purser.mechanism.Hierarchy;
import dev.purser.mechanism.Precision;
import dev.purser.query.SynopsisCells;
import dev.purser.query.SynopsisQuery;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * One purchase of a synopsis, as its stored answer states it: what was measured and with which noise, in grid steps.
 *
 * @param document the stored answer
 * @param columns the levels of each column
 * @param tables the measured tables
 * @param nodes how many numbers each of them has
 */
record Purchase(
        JsonNode document,
        SynopsisCells cells,
        List<Hierarchy> columns,
        List<Precision.Measurement> tables,
        List<Long> nodes) {
    static Purchase of(JsonNode document, Dataset dataset) {
        SynopsisCells cells = JsonDocument.parse(
                        document.get("question").toString().getBytes(StandardCharsets.UTF_8))
                .read(in -> SynopsisQuery.readCells(in, dataset));
        JsonNode strategy = document.at("/answer/strategy");
        List<Hierarchy> columns = IntStream.range(0, cells.keys().size())
                .mapToObj(column -> new Hierarchy(
                        cells.keys().get(column).groups(),
                        integers(strategy.get("levels").get(column))))
                .toList();
        List<JsonNode> measured = elements(strategy.get("tables"));
        return new Purchase(
                document,
                cells,
                columns,
                measured.stream()
                        .map(table -> measurement(table, cells, columns))
                        .toList(),
                measured.stream().map(table -> table.get("cells").asLong()).toList());
    }

    private static List<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private static List<Integer> integers(JsonNode array) {
        return elements(array).stream().map(JsonNode::asInt).toList();
    }

    private static Precision.Measurement measurement(JsonNode table, SynopsisCells cells, List<Hierarchy> columns) {
        List<String> divided =
                elements(table.get("columns")).stream().map(JsonNode::asString).toList();
        List<Integer> widths = integers(table.get("widths"));
        List<Integer> levels = IntStream.range(0, columns.size())
                .map(column -> {
                    int place =
                            divided.indexOf(cells.keys().get(column).column().name());
                    Hierarchy hierarchy = columns.get(column);
                    return place < 0 ? hierarchy.top() : hierarchy.widths().indexOf(widths.get(place));
                })
                .boxed()
                .toList();
        double scale = table.get("scale").asDouble() / cells.grid().resolution().doubleValue();
        return Precision.Measurement.of(
                new Grain(levels), scale, table.get("rho").isNull());
    }

    String queryId() {
        return document.get("queryId").asString();
    }

    /** The digest of its noisy numbers. */
    byte[] digest() {
        return HexFormat.of().parseHex(document.at("/answer/digest").asString());
    }

    /** The purchase that is a blurred copy of this one, so that it says nothing beside it; empty if none is. */
    Optional<String> replaced() {
        return document.path("refines").asStringOpt();
    }

    /** Whether it was bought to refine the synopsis with this id. */
    boolean refines(String synopsisId) {
        return document.at("/answer/synopsisId").asString().equals(synopsisId);
    }

    /** Whether its noise is Gaussian, so that a further purchase can be combined with it. */
    boolean isGaussian() {
        return tables.stream().allMatch(table -> table.laplaceScale() == 0);
    }
}
