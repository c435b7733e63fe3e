package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.Source;
import dev.purser.json.Field;
import dev.purser.json.JsonDocument;
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
 * The rules of refining an answer: what a request can want, which question it becomes, and which answers are offered
 * for refining. The privacy argument is in {@code RefinedLaplace.md}.
 */
public final class RefinedQuestions {
    /** The kind of a refinement's entry in the ledger. */
    public static final String KIND = "refinement";

    private RefinedQuestions() {}

    /**
     * The request to refine an answer.
     *
     * @param epsilon the epsilon that is charged in addition
     * @param beta the beta of the new answer; empty for the beta of the old answer
     */
    public record Wanted(Epsilon epsilon, Optional<BigDecimal> beta) {
        // An absent beta has the value of the old answer, so there is no default.
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
     * @param digest the digest of the numbers
     */
    public record HeldTables(String first, byte[] digest) {}

    /**
     * A stored answer's question.
     *
     * @param question the question in canonical form, with the epsilon of the whole chain
     * @param tables the tables of the answer; null if it holds none
     */
    public record Asked(
            String queryId,
            QuestionKind kind,
            JsonObject question,
            @Nullable HeldTables tables) {
        /** The epsilon of the whole chain. */
        public Epsilon epsilon() {
            JsonValue sent = Objects.requireNonNull(question.members().get(AllowanceFields.EPSILON));
            return Epsilon.parse(((JsonString) sent).text());
        }
    }

    /**
     * Refinements of one answer, by the epsilon that is charged in addition. The integers of the answer are not read.
     * What does not depend on epsilon is computed once, because a quote tries many epsilons.
     *
     * @param beta the beta of the new answer; empty for the beta of the old answer
     */
    public static Function<Epsilon, QuestionRequest> pricing(Dataset dataset, Asked asked, Optional<BigDecimal> beta) {
        Map<String, JsonValue> fields = new LinkedHashMap<>(asked.question().members());
        beta.ifPresent(sent -> fields.put(Beta.FIELD.name(), new JsonNumber(sent.toPlainString())));
        QuoteRequest better =
                JsonDocument.of(new JsonObject(fields)).read(in -> QuoteRequest.read(in, dataset, asked.kind()));
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

    /** Why no answer to this question can be refined; empty if every answer can, so that its integers are stored. */
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

    /** A stored answer that can be refined to the precision of a question, for less than the question's charge. */
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
     * Among the answers that can be refined to the asked epsilon, the answer with the largest epsilon. Every principal
     * that may ask the question may read it.
     *
     * @param rows the assumed number of rows that pass
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

    /** Whether the asker can pay the charge of an offer. */
    static boolean fits(AccountBooks books, Dataset dataset, QuestionRequest asked, Offer offer, String asker) {
        return fits(
                books,
                dataset,
                asked,
                missing(offer.epsilon(), asked.question().allowance().epsilon()),
                asker);
    }

    /** Whether the asker can pay {@code missing} from the account or the blocks of the question. */
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
