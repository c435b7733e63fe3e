package dev.purser.mcp;

import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.query.IdFields;
import dev.purser.query.Reuse;
import dev.purser.synopsis.FreeAnswers;
import dev.purser.synopsis.FreeAsking;
import dev.purser.synopsis.FreeQuestions;
import dev.purser.synopsis.Synopses;
import dev.purser.synopsis.Synopsis;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks what is stored: the answer to a question that was asked before, or a synopsis. It never spends. */
@Component
class AskFree implements Tool {
    private static final String SYNOPSIS = "synopsis";
    private static final String SYNOPSIS_ID = "synopsisId";
    private static final int MAX_NUMBERS = 1_000;

    private final VisibleDatasets datasets;
    private final AskedQuestions questions;
    private final Synopses synopses;
    private final FreeAsking asking;
    private final JsonMapper json;

    AskFree(VisibleDatasets datasets, AskedQuestions questions, Synopses synopses, FreeAsking asking, JsonMapper json) {
        this.datasets = datasets;
        this.questions = questions;
        this.synopses = synopses;
        this.asking = asking;
        this.json = json;
    }

    @Override
    public String name() {
        return "ask_free";
    }

    @Override
    public String description() {
        return "Asks without spending. Send exactly one of `question`, with `dataset`, for the stored answer of a"
                + " question that was asked before with the same fields, and `synopsis`, for questions that a synopsis"
                + " answers for nothing.";
    }

    @Override
    public FieldType.ObjectOf arguments() {
        FieldType.ObjectOf ofSynopsis = new FieldType.ObjectOf(
                "OfSynopsis",
                "At most " + MAX_NUMBERS + " numbers in all.",
                Field.all(
                        List.of(Field.required(SYNOPSIS_ID, FieldType.TEXT, "From describe_dataset.")),
                        FreeQuestions.FORM.fields()));
        return new FieldType.ObjectOf(
                "AskFree",
                AboutDataset.FIELD.asOptional(),
                AskedQuestions.FIELD.asOptional(),
                Field.optional(SYNOPSIS, ofSynopsis, "Questions about a synopsis."));
    }

    @Override
    public Optional<Supplier<ToolResult>> read(ObjectReader in, Caller caller) {
        Optional<Supplier<ToolResult>> asked = in.exactlyOne(AskedQuestions.QUESTION, SYNOPSIS)
                .flatMap(sent -> sent.equals(SYNOPSIS)
                        ? in.required(SYNOPSIS).object(inner -> ofSynopsis(inner, caller))
                        : AboutDataset.read(in, caller.principal(), datasets::requireReady)
                                .flatMap(dataset -> questions.read(in, caller, dataset, Reuse.OF_STORED)));
        // With a synopsis a dataset need not be named, and may be.
        in.optional(AboutDataset.FIELD.name());
        return in.complete(asked::orElseThrow);
    }

    private Optional<Supplier<ToolResult>> ofSynopsis(ObjectReader in, Caller caller) {
        Optional<Synopsis> synopsis = IdFields.read(in.required(SYNOPSIS_ID), "a synopsis")
                .map(id -> synopses.visible(caller.principal(), id));
        return synopsis.flatMap(known -> FreeQuestions.read(in, known).map(asked -> {
            if (asked.numbers() > MAX_NUMBERS) {
                in.refuse("questions must ask for at most " + MAX_NUMBERS + " numbers in a call, asked for "
                        + asked.numbers());
            }
            return () -> answered(asking.ask(caller.principal(), known, asked), asked);
        }));
    }

    private ToolResult answered(FreeAnswers answers, FreeQuestions asked) {
        JsonNode shown = ToolResult.of(answers, json).structured();
        String text = "Answered by a synopsis, so nothing was charged. " + AnswerText.caution(asked.beta()) + " "
                + shown.path("statement").asString() + "\n" + AnswerText.numbers(shown.path("items"));
        return new ToolResult(text, shown, false);
    }
}
