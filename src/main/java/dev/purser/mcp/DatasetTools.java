package dev.purser.mcp;

import dev.purser.access.Principal;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.RegistrationReader;
import dev.purser.dataset.ShownDatasets;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.http.Page;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.problem.ProblemException;
import dev.purser.query.NamedQuestion;
import dev.purser.query.NewestAnswers;
import dev.purser.query.Quoting;
import dev.purser.synopsis.Synopses;
import dev.purser.synopsis.SynopsisView;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tools that work without a charge: datasets with their public facts and books, stored answers and synopses, and
 * quotes.
 */
@Component
class DatasetTools {
    private static final int LISTED = 100;
    private static final int SYNOPSES = 10;
    private static final long MAX_SYNOPSES_BYTES = 1 << 18;
    private static final int ANSWERS = 20;
    /** The argument that names a dataset. */
    static final Field<String> ABOUT = Field.required(
            "dataset",
            FieldType.text(RegistrationReader.ID, "the id of a dataset: " + RegistrationReader.ID_FORM),
            "The id of a dataset, from list_datasets.",
            "visits");

    private static final Field<String> AFTER = Field.optional(
            "after",
            FieldType.text(RegistrationReader.ID, "the next of an earlier call"),
            "The `next` of an earlier call; without it, from the first.");

    private static final Field<ObjectReader> TO_QUOTE =
            Field.required("question", NamedQuestion.form("ToQuote", "The question.", Quoting::form), "The question.");

    private final VisibleDatasets datasets;
    private final ShownDatasets shown;
    private final Synopses synopses;
    private final NewestAnswers answers;
    private final Quoting quoting;
    private final JsonMapper json;

    DatasetTools(
            VisibleDatasets datasets,
            ShownDatasets shown,
            Synopses synopses,
            NewestAnswers answers,
            Quoting quoting,
            JsonMapper json) {
        this.datasets = datasets;
        this.shown = shown;
        this.synopses = synopses;
        this.answers = answers;
        this.quoting = quoting;
        this.json = json;
    }

    /**
     * Reads the dataset that {@link #ABOUT} names.
     *
     * @param find how the dataset is looked up: to be read, or to be asked about
     * @throws ProblemException as {@code find}
     */
    static Optional<Dataset> about(ObjectReader in, Principal principal, BiFunction<Principal, String, Dataset> find) {
        return in.required(ABOUT).map(id -> find.apply(principal, id));
    }

    Tool list() {
        return new Tool(
                "list_datasets",
                "Lists the datasets that this key may ask about, with what is left of each budget. Spends nothing.",
                new Shape.ObjectOf("ListDatasets", AFTER),
                false,
                (in, caller) -> {
                    Optional<String> after = in.read(AFTER);
                    return in.complete(
                            () -> () -> ToolResult.of(shown.page(caller.principal(), after.orElse(""), LISTED), json));
                });
    }

    Tool describe() {
        return new Tool(
                "describe_dataset",
                "Shows one dataset: its columns with their bounds and categories, what is left of its budget for this"
                        + " key, and what is stored and free: the newest synopses and answers. Spends nothing. Ask a"
                        + " stored answer's question with ask_free, as it is shown.",
                new Shape.ObjectOf("DescribeDataset", ABOUT),
                false,
                (in, caller) -> {
                    Optional<Dataset> dataset = about(in, caller.principal(), datasets::require);
                    return in.complete(
                            () -> () -> ToolResult.of(described(caller.principal(), dataset.orElseThrow()), json));
                });
    }

    /** The parts of a dataset's description, each as an operation of the API shows it. */
    private record Described(Object dataset, Object remaining, List<SynopsisView> synopses, Page<?> answers) {}

    private Described described(Principal principal, Dataset dataset) {
        ShownDatasets.Shown facts = shown.shown(principal, dataset);
        return new Described(
                facts.dataset(),
                facts.remaining(),
                synopses.newest(principal, dataset, SYNOPSES, MAX_SYNOPSES_BYTES).stream()
                        .map(SynopsisView::of)
                        .toList(),
                answers.of(dataset, ANSWERS));
    }

    Tool quote() {
        return new Tool(
                "quote",
                "Says what a question would be charged and how wide the interval of its answer would be. Reads no rows"
                        + " and spends nothing: quote before you ask. With `targetAlpha` in place of `epsilon`, it"
                        + " finds the least epsilon that comes so near.",
                new Shape.ObjectOf("Quote", ABOUT, TO_QUOTE),
                false,
                (in, caller) -> {
                    Optional<Dataset> dataset = about(in, caller.principal(), datasets::require);
                    Optional<Supplier<Object>> quote = dataset.flatMap(known -> in.read(TO_QUOTE)
                            .flatMap(question -> NamedQuestion.read(
                                    question, (inner, kind) -> quoting.read(inner, caller.principal(), known, kind))));
                    return in.complete(() -> () -> quoted(quote.orElseThrow().get()));
                });
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
