package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.Source;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.JsonDocument;
import dev.purser.json.JsonLimits;
import dev.purser.json.JsonValue;
import dev.purser.json.JsonValue.JsonNumber;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.json.ObjectReader;
import dev.purser.ledger.AccountBooks;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.Released;
import dev.purser.ledger.StoredAnswer;
import dev.purser.mechanism.Refinable;
import dev.purser.mechanism.ReleasedIntegers;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.StatedAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import io.swagger.v3.oas.annotations.media.Schema;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.stereotype.Service;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * An answer that is made better for the difference: the same question at a larger epsilon, whose noise the noise of the
 * first answer is a blurred copy of. What makes that private is in {@code RefinedLaplace.md}; that an answer is refined
 * once is decided by the ledger.
 */
@Service
public class AnswerRefinements {
    /** The kind of its entry in the ledger. */
    public static final String KIND = SynopsisQuery.REFINEMENT.name();

    private static final String QUESTION = "question";

    private static final JsonFactory JSON = new JsonFactory();

    private final BudgetLedger ledger;
    private final JsonMapper json;

    public AnswerRefinements(BudgetLedger ledger, JsonMapper json) {
        this.ledger = ledger;
        this.json = json;
    }

    /**
     * What is wanted of an answer.
     *
     * @param epsilon that is charged in addition
     * @param beta of the new answer; empty for that of the old one
     */
    public record Wanted(Epsilon epsilon, Optional<BigDecimal> beta) {
        /** The request body as the API describes it. */
        public static final FieldType.ObjectOf FORM = new FieldType.ObjectOf(
                "AnswerRefinement",
                "",
                List.of(
                        Field.required(
                                        AllowanceFields.EPSILON,
                                        new FieldType.Plain(Epsilon.class),
                                        "The epsilon that is charged in addition.")
                                .withExample("0.2"),
                        // What is absent is that of the answer, so the description has no default.
                        Field.optional(
                                        Beta.NAME,
                                        Beta.FIELD.type(),
                                        Beta.FIELD.description() + " That of the answer by default.")
                                .withExample(Beta.DEFAULT)));

        /** The request body that says the same, for what was said in another document, such as a call of a tool. */
        public byte[] bytes() {
            String more = beta.map(sent -> ",\"" + Beta.NAME + "\":" + sent.toPlainString())
                    .orElse("");
            return ("{\"" + AllowanceFields.EPSILON + "\":\"" + epsilon + "\"" + more + "}")
                    .getBytes(StandardCharsets.UTF_8);
        }

        /** Reads it. */
        public static Optional<Wanted> read(ObjectReader in) {
            Optional<Epsilon> epsilon = AllowanceFields.epsilon(in);
            Optional<BigDecimal> beta = in.has(Beta.NAME) ? Beta.read(in) : Optional.empty();
            return in.complete(() -> new Wanted(epsilon.orElseThrow(), beta));
        }
    }

    /**
     * What a stored answer says of its question.
     *
     * @param question in canonical form, with the epsilon of the whole chain
     */
    public record Asked(String queryId, QuestionKind kind, JsonObject question) {
        /** Of the whole chain. */
        public Epsilon epsilon() {
            JsonValue sent = Objects.requireNonNull(question.members().get(AllowanceFields.EPSILON));
            return Epsilon.parse(((JsonString) sent).text());
        }
    }

    /**
     * What an answer was asked.
     *
     * @throws ProblemException {@code request-in-flight} if there is no answer yet; {@code not-refinable} if it is not
     *     one of a question
     */
    public Asked asked(String queryId) {
        return read(stored(queryId));
    }

    /** As the other: the kind of question alone, which is quickly read. */
    public String kind(String queryId) {
        return kindOf(stored(queryId));
    }

    private StoredAnswer stored(String queryId) {
        return ledger.answer(queryId)
                .orElseThrow(() -> ProblemException.of(
                                ProblemType.REQUEST_IN_FLIGHT,
                                "the answer is charged and not drawn yet; refine it once it is")
                        .retryAfter(Duration.ofSeconds(1)));
    }

    /**
     * The question that refines an answer.
     *
     * @throws ProblemException as {@link #asked}; {@code not-refinable} with why
     */
    public QuestionRequest refining(Dataset dataset, String queryId, Wanted wanted) {
        QuestionRequest better = priced(dataset, asked(queryId), wanted);
        requireSameIntegers(queryId, better.question());
        return better;
    }

    /** As the other, to be priced: what the answer was made of is not read. */
    public QuestionRequest priced(Dataset dataset, Asked asked, Wanted wanted) {
        long sum = asked.epsilon().nanos() + wanted.epsilon().nanos();
        if (sum > AllowanceFields.MOST_EPSILON.nanos()) {
            throw refused("the epsilons of a chain may add up to " + AllowanceFields.MOST_EPSILON + ", these would be "
                    + new Epsilon(sum));
        }
        QuestionRequest better = better(dataset, asked, new Epsilon(sum), wanted.beta());
        whyNot(better.question(), dataset).ifPresent(why -> {
            throw refused(why);
        });
        PrivacyEvent charged = new PrivacyAllowance.Pure(wanted.epsilon()).event();
        return better.refining(new QuestionRequest.Refining(asked.queryId(), charged));
    }

    /** Whether an answer is too long to be read without a turn. */
    boolean isLong(String queryId) {
        return ledger.answer(queryId).filter(answer -> answer.whole() != null).isPresent();
    }

    private static QuestionRequest better(Dataset dataset, Asked asked, Epsilon sum, Optional<BigDecimal> beta) {
        Map<String, JsonValue> fields = new LinkedHashMap<>(asked.question().members());
        fields.put(AllowanceFields.EPSILON, new JsonString(sum.toString()));
        beta.ifPresent(sent -> fields.put(Beta.NAME, new JsonNumber(sent.toPlainString())));
        CanonicalQuestion again = CanonicalQuestion.of(asked.kind(), new JsonObject(fields), dataset);
        return JsonDocument.parse(again.bytes(), JsonLimits.OWN)
                .read(in -> asked.kind().readAsked(in, dataset));
    }

    /** What another version of the service released may have other parts. Whether it may be refined the ledger says. */
    private void requireSameIntegers(String queryId, Question<?> better) {
        Optional<Released> released = ledger.released(queryId).filter(kept -> !kept.isEnded());
        boolean isOther = released.isPresent()
                && released.flatMap(kept -> ReleasedIntegers.parse(kept.integers()))
                        .filter(integers -> integers.canBecome((Refinable<?>) better.mechanism()))
                        .isEmpty();
        if (isOther) {
            throw refused("this answer is of another release of the service, which measured other numbers");
        }
    }

    /** Why no answer to this question can be refined; empty if each can. Answers keep what they are made of by this. */
    static Optional<String> whyNot(Question<?> question, Dataset dataset) {
        if (!(dataset.registration().source() instanceof Source.Upload)) {
            return Optional.of("only answers about uploaded rows can be refined: those of a table may have changed");
        }
        if (!(question.mechanism() instanceof Refinable)) {
            return Optional.of("an answer of this kind and method is selected, not measured; only numbers that are"
                    + " measured can be refined");
        }
        return switch (question.allowance()) {
            case PrivacyAllowance.Pure _ -> Optional.empty();
            case PrivacyAllowance.Approximate _ ->
                Optional.of("an answer with a delta cannot be refined: its noise may be Gaussian");
            case PrivacyAllowance.Concentrated _ ->
                Optional.of("under the accountant zcdp epsilons do not add up, so the difference would not pay for"
                        + " the refinement");
        };
    }

    private Asked read(StoredAnswer answer) {
        try (JsonParser in = json.createParser(ledger.open(answer, 0))) {
            Optional<QuestionKind> kind = Optional.empty();
            in.nextToken();
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = in.currentName();
                in.nextToken();
                if (name.equals("kind")) {
                    kind = QuestionKinds.named(in.getString());
                } else if (name.equals(QUESTION) && kind.isPresent()) {
                    return new Asked(answer.queryId(), kind.orElseThrow(), copied(in));
                }
                in.skipChildren();
            }
        }
        throw refused("only the answer of a question can be refined here; a synopsis is refined under its own address,"
                + " and a session never");
    }

    /** The kind of question that an answer is to. Its entry in the ledger says of a refinement only that it is one. */
    public static String kindOf(StoredAnswer answer) {
        if (!answer.kind().equals(KIND)) {
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

    private static ProblemException refused(String why) {
        return ProblemException.of(ProblemType.NOT_REFINABLE, why);
    }

    /** An answer that can be made as good as one to the question, for less. */
    @Schema(
            name = "RefinesOffer",
            description = "An answer to the same question that can be made as good for the difference.")
    public record Offer(
            @Schema(example = "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q") String queryId,

            @Schema(description = "What its chain was charged so far.", example = "0.1")
            Epsilon epsilon,

            @Schema(description = "What is missing.") StatedAmount charge,

            @Schema(description = "What its `accuracy.alpha` would be.", example = "6")
            BigDecimal alpha) {}

    /**
     * The answer with the largest epsilon that can be refined to the one that is asked for. Whoever may ask may read
     * it.
     *
     * @param rows that are taken to pass
     */
    public static Optional<Offer> offered(AccountBooks books, Dataset dataset, QuestionRequest asked, long rows) {
        if (whyNot(asked.question(), dataset).isPresent()) {
            return Optional.empty();
        }
        Epsilon wanted = asked.question().allowance().epsilon();
        return books.refinable(dataset.id(), asked.canonical().series(), wanted)
                .map(found -> new Offer(
                        found.queryId(),
                        found.epsilon(),
                        dataset.registration()
                                .accountant()
                                .stated(
                                        missing(found.epsilon(), wanted),
                                        books.budget(dataset.account()).limit()),
                        asked.question().expected(rows).alpha()));
    }

    private static PrivacyAmount missing(Epsilon before, Epsilon wanted) {
        return PrivacyAmount.pure(new Epsilon(wanted.nanos() - before.nanos()));
    }

    /** Whether the asker has what an offer takes. */
    static boolean fits(AccountBooks books, Dataset dataset, QuestionRequest asked, Offer offer, String asker) {
        return fits(
                books,
                dataset,
                asked,
                missing(offer.epsilon(), asked.question().allowance().epsilon()),
                asker);
    }

    /** Whether the asker has so much left where a question is charged. */
    public static boolean fits(
            AccountBooks books, Dataset dataset, QuestionRequest asked, PrivacyAmount missing, String asker) {
        return asked.window()
                .map(window -> books.blocks(dataset.account(), asker, window)
                        .unableToPay(window, _ -> missing)
                        .isEmpty())
                .orElseGet(
                        () -> missing.fitsWithin(books.budget(dataset.account()).remainingFor(asker)));
    }
}
