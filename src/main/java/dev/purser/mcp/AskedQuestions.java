package dev.purser.mcp;

import dev.purser.dataset.Dataset;
import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.query.Asking;
import dev.purser.query.FreeOffers;
import dev.purser.query.NamedQuestion;
import dev.purser.query.QueryRunner;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionRequest;
import dev.purser.query.Replies;
import dev.purser.query.Reuse;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The argument that is a question, and its answer. */
@Component
class AskedQuestions {
    static final String QUESTION = "question";

    /** It does not say itself whether an earlier answer will do: the tool does. */
    static final Field FIELD = Field.required(
            QUESTION, NamedQuestion.form("NamedQuestion", "The question.", QuestionKind::compared), "The question.");

    private static final String PLACE = "POST /mcp";

    private final Asking asking;
    private final FreeOffers offers;
    private final JsonMapper json;

    AskedQuestions(Asking asking, FreeOffers offers, JsonMapper json) {
        this.asking = asking;
        this.offers = offers;
        this.json = json;
    }

    /** Reads it; it is asked when what is returned is called. */
    Optional<Supplier<ToolResult>> read(ObjectReader in, Tool.Caller caller, Dataset dataset, Reuse reuse) {
        return in.required(QUESTION)
                .object(question -> NamedQuestion.read(
                        question, (inner, kind) -> kind.readAsked(inner, dataset, Optional.of(reuse))))
                .map(asked -> () -> answer(caller, dataset, asked.sentBy(caller.principal())));
    }

    private ToolResult answer(Tool.Caller caller, Dataset dataset, QuestionRequest asked) {
        try {
            return shown(asking.ask(caller.principal(), dataset, asked, PLACE, caller.key()), caller);
        } catch (ProblemException refusal) {
            throw refusal.type() == ProblemType.NOTHING_STORED ? offering(refusal, dataset, asked) : refusal;
        }
    }

    /** The refusal, with the synopsis that answers instead. */
    private ProblemException offering(ProblemException refusal, Dataset dataset, QuestionRequest asked) {
        return offers.of(dataset)
                .flatMap(bought -> bought.answering(asked))
                .map(free -> refusal.with("freeFrom", free))
                .orElse(refusal);
    }

    /** An answer of any kind. */
    ToolResult shown(QueryRunner.Reply reply, Tool.Caller caller) {
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
}
