package dev.purser.query.quote;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.Epsilon;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.query.AllowanceFields;
import dev.purser.query.IdFields;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A refinement to be quoted.
 *
 * @param queryId of the answer
 */
public record RefinementQuote(String queryId, QuoteRequest.Aim aim) {
    private static final String QUERY_ID = "queryId";

    /** The request body as the API describes it. */
    public static final FieldType.ObjectOf FORM = new FieldType.ObjectOf(
            "RefinementQuoteRequest",
            "An answer, and exactly one of `epsilon` and `targetAlpha`.",
            List.of(
                    Field.required(QUERY_ID, FieldType.TEXT, "The answer that would be refined.")
                            .withExample("01KAB0Y3E0R6W9ZJ8N4H2T5M7Q"),
                    Field.optional(
                                    AllowanceFields.EPSILON,
                                    new FieldType.Plain(Epsilon.class),
                                    "The epsilon that would be charged in addition.")
                            .withExample("0.2"),
                    Field.optional(
                                    QuoteRequest.TARGET_ALPHA,
                                    FieldType.NUMBER,
                                    "In place of `epsilon`: the `accuracy.alpha` that is wanted. Finds the least"
                                            + " epsilon in addition with which it is met.")
                            .withoutExample()));

    /** Reads it. */
    public static Optional<RefinementQuote> read(ObjectReader in) {
        Optional<String> queryId = IdFields.read(in.required(QUERY_ID), "an answer");
        Optional<QuoteRequest.Aim> aim = in.exactlyOne(AllowanceFields.EPSILON, QuoteRequest.TARGET_ALPHA)
                .flatMap(sent ->
                        sent.equals(QuoteRequest.TARGET_ALPHA) ? QuoteRequest.within(in) : QuoteRequest.exactly(in));
        return in.complete(() -> new RefinementQuote(queryId.orElseThrow(), aim.orElseThrow()));
    }

    /**
     * The epsilon that is charged in addition: as sent, or the least that meets the target.
     *
     * @param before the epsilon of the chain up to the answer
     */
    Epsilon more(Epsilon before, Function<Epsilon, BigDecimal> alphaWithMore) {
        return switch (aim) {
            case QuoteRequest.Aim.Exactly(Epsilon epsilon) -> epsilon;
            case QuoteRequest.Aim.Within(BigDecimal alpha) -> {
                Epsilon most = new Epsilon(AllowanceFields.MOST_EPSILON.nanos() - before.nanos());
                yield LeastEpsilon.meeting(
                                alpha, epsilon -> alphaWithMore.apply(epsilon.compareTo(most) < 0 ? epsilon : most))
                        .filter(epsilon -> epsilon.compareTo(most) <= 0)
                        .orElseThrow(() -> unmet(alpha, alphaWithMore.apply(most)));
            }
        };
    }

    private static ProblemException unmet(BigDecimal alpha, BigDecimal nearest) {
        return ProblemException.validation(Violation.atPointer(
                "/" + QuoteRequest.TARGET_ALPHA,
                QuoteRequest.TARGET_ALPHA + " must be at least " + nearest.toPlainString()
                        + ", which the largest epsilon of a chain, " + AllowanceFields.MOST_EPSILON
                        + ", comes to here, was " + alpha.toPlainString()));
    }
}
