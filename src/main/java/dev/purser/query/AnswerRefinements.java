package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.json.JsonDocument;
import dev.purser.json.JsonLimits;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.Released;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.StoredAnswer;
import dev.purser.mechanism.Refinable;
import dev.purser.mechanism.ReleasedIntegers;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Optional;
import org.springframework.stereotype.Service;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Refines an answer: asks the same question at a larger epsilon, and charges the difference. The noise of the first
 * answer is a blurred copy of the noise of the refined answer. The privacy argument is in {@code RefinedLaplace.md}.
 * The ledger ensures that an answer is refined only once.
 */
@Service
public class AnswerRefinements {
    private static final String QUESTION = "question";

    private static final JsonFactory JSON = new JsonFactory();

    /** The most purchases of a synopsis. All of them are read whenever the synopsis is shown. */
    static final int MOST_PURCHASES = 32;

    private final BudgetLedger ledger;
    private final JsonMapper json;
    private final ChargedKinds kinds;

    public AnswerRefinements(BudgetLedger ledger, JsonMapper json, ChargedKinds kinds) {
        this.ledger = ledger;
        this.json = json;
        this.kinds = kinds;
    }

    /**
     * An answer that is to be refined.
     *
     * @throws ProblemException {@code request-in-flight} if there is no answer yet
     */
    public StoredAnswer answer(String queryId) {
        return ledger.answer(queryId)
                .orElseThrow(() -> ProblemException.of(
                                ProblemType.REQUEST_IN_FLIGHT,
                                "the answer is charged and not drawn yet; refine it once it is")
                        .retryAfter(Duration.ofSeconds(1)));
    }

    /**
     * The question that refines an answer.
     *
     * @throws ProblemException {@code not-refinable} with the reason
     */
    public QuestionRequest refining(Dataset dataset, StoredAnswer answer, RefinedQuestions.Wanted wanted) {
        QuestionRequest better =
                RefinedQuestions.pricing(dataset, asked(answer), wanted.beta()).apply(wanted.epsilon());
        requireSameIntegers(answer.queryId(), better.question());
        return better;
    }

    /**
     * Refuses a new purchase of a synopsis that has the most purchases. A repeated request is not refused. Parallel
     * requests can exceed the maximum by a few purchases.
     *
     * @param first the query id of the first purchase of the synopsis
     * @throws ProblemException {@code not-refinable}
     */
    public void requireRoom(Dataset dataset, String first, RequestIdentity identity) {
        if (ledger.series(first).size() >= MOST_PURCHASES
                && ledger.chargedUnder(dataset.account(), identity).isEmpty()) {
            throw RefinedQuestions.refused("a synopsis has at most " + MOST_PURCHASES
                    + " purchases, and this one has them; buy a new synopsis, with a larger epsilon");
        }
    }

    /**
     * Another version of the service may measure other numbers. The ledger decides whether an answer may be refined.
     */
    private void requireSameIntegers(String queryId, Question<?> better) {
        Optional<Released> released = ledger.released(queryId).filter(kept -> !kept.isEnded());
        boolean isOther = released.isPresent()
                && released.flatMap(kept -> ReleasedIntegers.parse(kept.integers()))
                        .filter(integers -> integers.canBecome((Refinable<?>) better.mechanism()))
                        .isEmpty();
        if (isOther) {
            throw RefinedQuestions.refused(
                    "this answer is of another release of the service, which measured other numbers");
        }
    }

    /**
     * The question of an answer.
     *
     * @throws ProblemException {@code not-refinable} if it is not the answer of a question
     */
    public RefinedQuestions.Asked asked(StoredAnswer answer) {
        try (JsonParser in = json.createParser(ledger.open(answer, 0))) {
            Optional<QuestionKind> kind = Optional.empty();
            JsonObject question = null;
            in.nextToken();
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = in.currentName();
                in.nextToken();
                if (name.equals("kind")) {
                    kind = kinds.quoted(in.getString());
                } else if (name.equals(QUESTION) && kind.isPresent()) {
                    question = copied(in);
                    if (kinds.tables(kind.orElseThrow()).isEmpty()) {
                        return new RefinedQuestions.Asked(answer.queryId(), kind.orElseThrow(), question, null);
                    }
                } else if (name.equals("answer") && question != null) {
                    RefinedQuestions.HeldTables tables =
                            kinds.tables(kind.orElseThrow()).orElseThrow().apply(in.readValueAsTree());
                    return new RefinedQuestions.Asked(answer.queryId(), kind.orElseThrow(), question, tables);
                }
                in.skipChildren();
            }
        }
        throw RefinedQuestions.refused("only the answer of a question can be refined, and a synopsis; a session never");
    }

    /** The kind of question that an answer is for. The ledger's entry of a refinement does not name this kind. */
    public static String kindOf(StoredAnswer answer) {
        if (!answer.kind().equals(RefinedQuestions.KIND)) {
            return answer.kind();
        }
        // An envelope begins with ids and the kind.
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), answer.beginning())) {
            in.nextToken();
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isKind = in.currentName().equals("kind");
                in.nextToken();
                if (isKind) {
                    return in.getString();
                }
            }
        }
        throw new IllegalStateException("a stored answer states no kind");
    }

    private JsonObject copied(JsonParser in) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator copy = json.createGenerator(out)) {
            copy.copyCurrentStructureExact(in);
        }
        return (JsonObject)
                JsonDocument.parse(out.toByteArray(), JsonLimits.OWN).root();
    }
}
