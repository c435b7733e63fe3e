package dev.purser.query.quote;

import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
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
 * @param queryId the id of the answer
 */
public record RefinementQuote(String queryId, QuoteRequest.Aim aim) {
    private static final Field<String> QUERY_ID = Field.required(
            "queryId", IdFields.of("an answer"), "The answer that would be refined.", "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q");

    /** The request body as the API describes it. */
    public static final Shape.ObjectOf FORM = new Shape.ObjectOf(
            "RefinementQuoteRequest",
            "An answer, and exactly one of `epsilon` and `targetAlpha`.",
            List.of(
                    QUERY_ID,
                    AllowanceFields.CHARGED
                            .asOptional()
                            .describedAs("The epsilon that would be charged in addition.")
                            .withExample("0.2"),
                    QuoteRequest.TARGET_ALPHA.describedAs(
                            "In place of `epsilon`: the `accuracy.alpha` that is wanted. Finds the least epsilon in"
                                    + " addition with which it is met.")));

    public static Optional<RefinementQuote> read(ObjectReader in) {
        Optional<String> queryId = in.read(QUERY_ID);
        Optional<QuoteRequest.Aim> aim = QuoteRequest.aim(in);
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
