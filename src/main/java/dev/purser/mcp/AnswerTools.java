package dev.purser.mcp;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.query.AnsweredDatasets;
import dev.purser.query.Asking;
import dev.purser.query.FreeOffers;
import dev.purser.query.IdFields;
import dev.purser.query.NamedQuestion;
import dev.purser.query.QueryRunner;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionRequest;
import dev.purser.query.RefinedQuestions.Wanted;
import dev.purser.query.Replies;
import dev.purser.query.Reuse;
import dev.purser.synopsis.FreeAnswers;
import dev.purser.synopsis.FreeAsking;
import dev.purser.synopsis.FreeQuestions;
import dev.purser.synopsis.Synopses;
import dev.purser.synopsis.Synopsis;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tools that get answers: a stored answer for nothing, a new answer for its charge, and a better answer for the
 * difference.
 */
@Component
class AnswerTools {
    /** The question does not say whether an earlier answer will do, because the tool says it. */
    private static final Field<ObjectReader> ASKED = Field.required(
            "question", NamedQuestion.form("NamedQuestion", "The question.", QuestionKind::compared), "The question.");

    private static final String PLACE = "POST /mcp";
    private static final int MAX_NUMBERS = 1_000;

    private static final Field<String> QUERY_ID =
            Field.required("queryId", IdFields.of("an answer"), "Of the answer.", "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q");
    private static final Field<String> SYNOPSIS_ID =
            Field.required("synopsisId", IdFields.of("a synopsis"), "From describe_dataset.");
    private static final Field<ObjectReader> SYNOPSIS = Field.optional(
            "synopsis",
            FieldType.object(new Shape.ObjectOf(
                    "OfSynopsis",
                    "At most " + MAX_NUMBERS + " numbers in all.",
                    Field.all(List.of(SYNOPSIS_ID), FreeQuestions.FORM.fields()))),
            "Questions about a synopsis.");

    private final VisibleDatasets datasets;
    private final AnsweredDatasets answered;
    private final Asking asking;
    private final FreeAsking free;
    private final FreeOffers offers;
    private final Synopses synopses;
    private final JsonMapper json;

    AnswerTools(
            VisibleDatasets datasets,
            AnsweredDatasets answered,
            Asking asking,
            FreeAsking free,
            FreeOffers offers,
            Synopses synopses,
            JsonMapper json) {
        this.datasets = datasets;
        this.answered = answered;
        this.asking = asking;
        this.free = free;
        this.offers = offers;
        this.synopses = synopses;
        this.json = json;
    }

    /** Every call says {@code reuse}, so a question that an agent repeats is charged once. */
    Tool ask() {
        return new Tool(
                "ask",
                "Asks a question and spends privacy budget, which never comes back. Quote it first. The same question"
                        + " again, with all its fields the same, is free. It is refused, and charged nothing, if it"
                        + " does not fit within what is left.",
                new Shape.ObjectOf("Ask", DatasetTools.ABOUT, ASKED),
                true,
                (in, caller) -> {
                    Optional<Supplier<ToolResult>> asked = question(in, caller, Reuse.OR_CHARGED);
                    return in.complete(asked::orElseThrow);
                });
    }

    Tool askFree() {
        return new Tool(
                "ask_free",
                "Asks without spending. Send exactly one of `question`, with `dataset`, for the stored answer of a"
                        + " question that was asked before with the same fields, and `synopsis`, for questions that a"
                        + " synopsis answers for nothing.",
                new Shape.ObjectOf("AskFree", DatasetTools.ABOUT.asOptional(), ASKED.asOptional(), SYNOPSIS),
                false,
                (in, caller) -> {
                    Optional<Supplier<ToolResult>> asked = in.exactlyOne(List.of(ASKED, SYNOPSIS))
                            .flatMap(sent -> sent.equals(SYNOPSIS)
                                    ? in.read(SYNOPSIS).flatMap(inner -> ofSynopsis(inner, caller))
                                    : question(in, caller, Reuse.OF_STORED));
                    // With a synopsis, a dataset may be named but is not needed.
                    in.know(DatasetTools.ABOUT);
                    return in.complete(asked::orElseThrow);
                });
    }

    /** An answer is refined once, so a repeated call is refused and charged nothing. */
    Tool refine() {
        return new Tool(
                "refine",
                "Makes an answer more precise and spends privacy budget: epsilon is charged in addition, and the new"
                        + " answer is as good as one that was asked at the sum. This is better than to ask again. Only"
                        + " the newest answer of a chain can be refined.",
                new Shape.ObjectOf("Refine", "", Field.all(List.of(QUERY_ID), Wanted.FORM.fields())),
                true,
                (in, caller) -> {
                    Optional<String> queryId = in.read(QUERY_ID);
                    return Wanted.read(in).map(wanted -> () -> refined(queryId.orElseThrow(), wanted, caller));
                });
    }

    private Optional<Supplier<ToolResult>> question(ObjectReader in, Tool.Caller caller, Reuse reuse) {
        return DatasetTools.about(in, caller.principal(), datasets::requireReady)
                .flatMap(dataset -> in.read(ASKED)
                        .flatMap(question ->
                                NamedQuestion.read(question, (inner, kind) -> kind.readAsked(inner, dataset, reuse)))
                        .map(asked -> () -> answer(caller, dataset, asked.sentBy(caller.principal()))));
    }

    private ToolResult answer(Tool.Caller caller, Dataset dataset, QuestionRequest asked) {
        try {
            return shown(asking.ask(caller.principal(), dataset, asked, PLACE, caller.key()), caller);
        } catch (ProblemException refusal) {
            throw refusal.type() == ProblemType.NOTHING_STORED ? offering(refusal, caller, dataset, asked) : refusal;
        }
    }

    /** The refusal, with the synopsis that answers the question. */
    private ProblemException offering(
            ProblemException refusal, Tool.Caller caller, Dataset dataset, QuestionRequest asked) {
        return offers.answering(caller.principal().name(), dataset, asked)
                .map(instead -> refusal.with("freeFrom", instead))
                .orElse(refusal);
    }

    private ToolResult refined(String queryId, Wanted wanted, Tool.Caller caller) {
        Dataset dataset = answered.of(caller.principal(), queryId);
        return shown(
                asking.refine(caller.principal(), dataset, queryId, wanted, PLACE + " refine", caller.key()), caller);
    }

    private ToolResult shown(QueryRunner.Reply reply, Tool.Caller caller) {
        return Replies.shortBytes(reply, caller.request()).map(this::whole).orElseGet(() -> tooLong(reply));
    }

    private ToolResult whole(byte[] answer) {
        JsonNode envelope = json.reader()
                .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .readTree(answer);
        return new ToolResult(AnswerText.of(envelope), envelope, false);
    }

    private ToolResult tooLong(QueryRunner.Reply reply) {
        String path = "/v1/queries/" + reply.queryId();
        return new ToolResult(
                "The answer is stored and too long for a tool: it is read with GET " + path
                        + " and the same key, for nothing.",
                json.valueToTree(Map.of("queryId", reply.queryId(), "path", path)),
                false);
    }

    private Optional<Supplier<ToolResult>> ofSynopsis(ObjectReader in, Tool.Caller caller) {
        Optional<Synopsis> synopsis = in.read(SYNOPSIS_ID).map(id -> synopses.visible(caller.principal(), id));
        return synopsis.flatMap(known -> FreeQuestions.read(in, known).map(asked -> {
            if (asked.numbers() > MAX_NUMBERS) {
                in.refuse("questions must ask for at most " + MAX_NUMBERS + " numbers in a call, asked for "
                        + asked.numbers());
            }
            return () -> answered(free.ask(caller.principal(), known, asked), asked);
        }));
    }

    private ToolResult answered(FreeAnswers answers, FreeQuestions asked) {
        JsonNode shown = ToolResult.of(answers, json).structured();
        String text = "Answered by a synopsis, so nothing was charged. " + AnswerText.caution(asked.beta()) + " "
                + shown.path("statement").asString() + "\n" + AnswerText.numbers(shown.path("items"));
        return new ToolResult(text, shown, false);
    }
}
