package dev.purser.mcp;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.query.NamedQuestion;
import dev.purser.query.Quoting;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a question would be charged, and how near its answer would come. */
@Component
class QuoteTool implements Tool {
    private static final String QUESTION = "question";

    private final VisibleDatasets datasets;
    private final Quoting quoting;
    private final JsonMapper json;

    QuoteTool(VisibleDatasets datasets, Quoting quoting, JsonMapper json) {
        this.datasets = datasets;
        this.quoting = quoting;
        this.json = json;
    }

    @Override
    public String name() {
        return "quote";
    }

    @Override
    public String description() {
        return "Says what a question would be charged and how wide the interval of its answer would be. Reads no rows"
                + " and spends nothing: quote before you ask. With `targetAlpha` in place of `epsilon`, it finds the"
                + " least epsilon that comes so near.";
    }

    @Override
    public FieldType.ObjectOf arguments() {
        return new FieldType.ObjectOf(
                "Quote",
                AboutDataset.FIELD,
                Field.required(
                        QUESTION, NamedQuestion.form("ToQuote", "The question.", Quoting::form), "The question."));
    }

    @Override
    public Optional<Supplier<ToolResult>> read(ObjectReader in, Caller caller) {
        Optional<Dataset> dataset = AboutDataset.read(in, caller.principal(), datasets::require);
        Optional<Supplier<Object>> quote = dataset.flatMap(known -> in.required(QUESTION)
                .object(question -> NamedQuestion.read(
                        question, (inner, kind) -> quoting.read(inner, caller.principal(), known, kind))));
        return in.complete(() -> () -> quoted(quote.orElseThrow().get()));
    }

    private ToolResult quoted(Object quote) {
        JsonNode shown = ToolResult.of(quote, json).structured();
        String text = "Asked with epsilon %s, it is charged epsilon %s, which %s within what is left. %s %s"
                .formatted(
                        shown.path("epsilon").asString(),
                        ToolResult.epsilon(shown.path("charge")),
                        shown.path("affordable").asBoolean() ? "fits" : "does not fit",
                        shown.path("accuracy").path("statement").asString(),
                        ToolResult.offers(shown));
        return new ToolResult(text.strip(), shown, false);
    }
}
