package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.json.JsonDocument;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.query.QuestionRequest;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Translates a question about rows to the same question about a synopsis. */
final class Translation {
    private static final ObjectReader JSON =
            JsonMapper.shared().reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final String COLUMN = "column";
    private static final String WHERE = "where";

    private Translation() {}

    /** The canonical request of a question. */
    static JsonNode request(QuestionRequest question) {
        return JSON.readTree(question.canonical().json());
    }

    /** Whether units that a column names are counted. A synopsis has the numbers of rows alone. */
    static boolean isOfUnits(JsonNode request, Dataset dataset) {
        return dataset.privacyUnit() instanceof PrivacyUnit.Column
                && request.path("of").asString("").equals("units");
    }

    /**
     * The question about the synopsis that has the same exact answer; empty if there is none.
     *
     * @param request the canonical request of a question of this kind
     */
    static Optional<FreeQuestion> of(String kind, JsonNode request, Synopsis synopsis) {
        if (synopsis.cells().leavesOut() || isOfUnits(request, synopsis.dataset())) {
            return Optional.empty();
        }
        boolean isOfMeasure = kind.equals("sum")
                && synopsis.cells().measure() != null
                && synopsis.cells().measure().name().equals(request.get(COLUMN).asString());
        return switch (kind) {
            case "count" -> question(kind, request, List.of(WHERE), synopsis);
            case "sum" ->
                isOfWholeColumn(request, synopsis)
                        ? question(kind, request, isOfMeasure ? List.of(WHERE) : List.of(COLUMN, WHERE), synopsis)
                        : Optional.empty();
            case "mean" ->
                isOfWholeColumn(request, synopsis)
                        ? question(kind, request, List.of(COLUMN, WHERE), synopsis)
                        : Optional.empty();
            case "histogram" ->
                request.get(WHERE).isEmpty() && !isByBlock(request, synopsis)
                        ? question(kind, request, List.of(COLUMN, "edges"), synopsis)
                        : Optional.empty();
            case "quantile" ->
                request.get(WHERE).isEmpty() && request.path("groupBy").isEmpty() && isOfWholeColumn(request, synopsis)
                        ? question(kind, request, List.of(COLUMN, "probabilities"), synopsis)
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** Bins that are blocks are no cells. */
    private static boolean isByBlock(JsonNode histogram, Synopsis synopsis) {
        return !histogram.has("edges")
                && synopsis.dataset().column(histogram.get(COLUMN).asString()).orElseThrow() instanceof Column.Numeric;
    }

    private static Optional<FreeQuestion> question(
            String kind, JsonNode request, List<String> fields, Synopsis synopsis) {
        ObjectNode own = JsonMapper.shared().createObjectNode();
        fields.stream().filter(request::has).forEach(field -> own.set(field, request.get(field)));
        ObjectNode question = JsonMapper.shared().createObjectNode();
        question.set(kind, own);
        try {
            return Optional.of(JsonDocument.parse(question.toString().getBytes(StandardCharsets.UTF_8))
                    .read(in -> FreeQuestions.question(in, synopsis)));
        } catch (ProblemException unanswered) {
            // It needs another column, or other edges, than the synopsis has.
            return Optional.empty();
        }
    }

    /** Whether values are not clamped further than in the column, and no cell has several of them. */
    private static boolean isOfWholeColumn(JsonNode request, Synopsis synopsis) {
        Column.Numeric column = (Column.Numeric)
                synopsis.dataset().column(request.get(COLUMN).asString()).orElseThrow();
        int place = synopsis.place(column.name());
        boolean hasSingleValues =
                place < 0 || !Statements.isWide(synopsis.cells().keys().get(place));
        return hasSingleValues
                && isBound(request.get("lower"), column, column.lower())
                && isBound(request.get("upper"), column, column.upper());
    }

    private static boolean isBound(JsonNode sent, Column.Numeric column, long bound) {
        Object shown = column.notation().shown(bound).json();
        return shown instanceof BigDecimal number
                ? sent.isNumber() && sent.decimalValue().compareTo(number) == 0
                : sent.asString().equals(shown);
    }
}
