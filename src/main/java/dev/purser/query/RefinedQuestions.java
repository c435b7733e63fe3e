package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.Source;
import dev.purser.json.Field;
import dev.purser.json.JsonDocument;
import dev.purser.json.JsonLimits;
import dev.purser.json.JsonValue;
import dev.purser.json.JsonValue.JsonNumber;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.ledger.AccountBooks;
import dev.purser.mechanism.Refinable;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.StatedAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.query.quote.QuoteRequest;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What refining an answer is, as far as it needs no books: what is wanted, which question it makes, and which answers
 * are offered. What makes it private is in {@code RefinedLaplace.md}.
 */
public final class RefinedQuestions {
    /** The kind of its entry in the ledger. */
    public static final String KIND = "refinement";

    private RefinedQuestions() {}

    /**
     * What is wanted of an answer.
     *
     * @param epsilon that is charged in addition
     * @param beta of the new answer; empty for that of the old one
     */
    public record Wanted(Epsilon epsilon, Optional<BigDecimal> beta) {
        // What is absent is that of the answer, so there is no default.
        private static final Field<BigDecimal> BETA = Beta.FIELD
                .of(Beta.FIELD.type())
                .describedAs(Beta.FIELD.description() + " That of the answer by default.");

        /** The request body as the API describes it. */
        public static final Shape.ObjectOf FORM = new Shape.ObjectOf(
                "AnswerRefinement",
                "",
                List.of(
                        AllowanceFields.CHARGED
                                .describedAs("The epsilon that is charged in addition.")
                                .withExample("0.2"),
                        BETA));

        /** The request body that says the same, for what was said in another document, such as a call of a tool. */
        public byte[] bytes() {
            String more = beta.map(sent -> ",\"beta\":" + sent.toPlainString()).orElse("");
            return ("{\"" + AllowanceFields.EPSILON + "\":\"" + epsilon + "\"" + more + "}")
                    .getBytes(StandardCharsets.UTF_8);
        }

        /** Reads it. */
        public static Optional<Wanted> read(ObjectReader in) {
            Optional<Epsilon> epsilon = in.read(AllowanceFields.CHARGED);
            Optional<BigDecimal> beta = in.read(BETA);
            return in.complete(() -> new Wanted(epsilon.orElseThrow(), beta));
        }
    }

    /**
     * The tables of a stored answer that holds some.
     *
     * @param first the query id of the first answer of the chain
     * @param digest of the numbers
     */
    public record HeldTables(String first, byte[] digest) {}

    /**
     * What a stored answer says of its question.
     *
     * @param question in canonical form, with the epsilon of the whole chain
     * @param tables null if the answer holds none
     */
    public record Asked(
            String queryId,
            QuestionKind kind,
            JsonObject question,
            @Nullable HeldTables tables) {
        /** Of the whole chain. */
        public Epsilon epsilon() {
            JsonValue sent = Objects.requireNonNull(question.members().get(AllowanceFields.EPSILON));
            return Epsilon.parse(((JsonString) sent).text());
        }
    }

    /**
     * Refinements of one answer, by the epsilon that is charged in addition. What the answer was made of is not read,
     * and what does not depend on epsilon is computed once: a quote tries many.
     *
     * @param beta of the new answer; empty for that of the old one
     */
    public static Function<Epsilon, QuestionRequest> pricing(Dataset dataset, Asked asked, Optional<BigDecimal> beta) {
        Map<String, JsonValue> fields = new LinkedHashMap<>(asked.question().members());
        beta.ifPresent(sent -> fields.put(Beta.FIELD.name(), new JsonNumber(sent.toPlainString())));
        CanonicalQuestion again = CanonicalQuestion.of(asked.kind(), new JsonObject(fields), dataset);
        QuoteRequest better = JsonDocument.parse(again.bytes(), JsonLimits.OWN)
                .read(in -> QuoteRequest.read(in, dataset, asked.kind()));
        return more -> {
            long sum = asked.epsilon().nanos() + more.nanos();
            if (sum > AllowanceFields.MOST_EPSILON.nanos()) {
                throw refused("the epsilons of a chain may add up to " + AllowanceFields.MOST_EPSILON
                        + ", these would be " + new Epsilon(sum));
            }
            QuestionRequest request = better.asked(new Epsilon(sum), dataset);
            whyNot(request.question(), dataset).ifPresent(why -> {
                throw refused(why);
            });
            PrivacyEvent charged = new PrivacyAllowance.Pure(more).event();
            return request.refining(new QuestionRequest.Refining(asked.queryId(), charged, asked.tables()));
        };
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

    public static ProblemException refused(String why) {
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
