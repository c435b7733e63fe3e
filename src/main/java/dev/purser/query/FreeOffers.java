package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds synopses that save charges: bought, or to be bought. It reads the books and spends nothing. */
public interface FreeOffers {
    /** The synopses of a dataset; empty if it has none. All who may ask about the dataset may read them. */
    Optional<Bought> of(Dataset dataset);

    /** The synopsis that answers a question of this principal most precisely. The search waits for its turn. */
    Optional<FreeFrom> answering(String principal, Dataset dataset, QuestionRequest question);

    /** Synopses that were bought. */
    @FunctionalInterface
    interface Bought {
        /** The synopsis that answers a question most precisely. */
        Optional<FreeFrom> answering(QuestionRequest question);
    }

    /** A synopsis that answers a question. */
    @Schema(description = "A synopsis that answers this for nothing.")
    record FreeFrom(
            @Schema(example = "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q") String synopsisId,

            @Schema(
                    description =
                            "The bound on the error of its answer, in the unit of the accuracy's alpha. Null where"
                                    + " it depends on the noisy numbers, as that of a mean does, or takes long.",
                    example = "12.5")
            @Nullable
            BigDecimal alpha) {}

    /**
     * A synopsis that would answer all questions of a plan as precisely as the plan, for a smaller charge.
     *
     * @param charge the charge of the whole plan
     */
    Optional<Cheaper> cheaper(Dataset dataset, List<Wanted> plan, PrivacyAmount charge);

    /**
     * A question of a plan.
     *
     * @param alpha the bound on its error
     */
    record Wanted(QuestionRequest question, BigDecimal alpha) {}

    /**
     * A purchase that is cheaper than a plan.
     *
     * @param request the request that buys it, in JSON
     */
    record Cheaper(String request, Epsilon epsilon, PrivacyAmount charge) {}
}
