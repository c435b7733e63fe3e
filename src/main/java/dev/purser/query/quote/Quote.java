package dev.purser.query.quote;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.ledger.NamedBlocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.StatedAmount;
import dev.purser.query.Accuracy;
import dev.purser.query.FreeOffers.FreeFrom;
import dev.purser.query.MechanismView;
import dev.purser.query.RefinedQuestions;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The charge and the expected accuracy of one question.
 *
 * @param epsilon the epsilon to send with the question
 * @param affordable whether the charge fits within what remains now
 */
@Schema(description = "What a question would cost, and how near its answer would come. Nothing was spent.")
public record Quote(
        @Schema(example = "mean") String kind,

        @Schema(
                description =
                        "The epsilon to ask with: as sent, or the least that meets the target, to a nano-epsilon.",
                example = "0.5")
        Epsilon epsilon,

        @Schema(description = "What the question would be charged; with blocks, each of those asked about.")
        StatedAmount charge,

        @Schema(description = "Whether the charge fits within what remains now. Nothing is set aside for it.")
        boolean affordable,

        @Schema(
                description = "With blocks, if it is not affordable: those that cannot pay, the least remainder first;"
                        + " at most 100.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable
        List<NamedBlocks> blocks,

        @Schema(
                description = "As the answer will state it; for a mean, what holds if `assumedRows` rows pass, before"
                        + " anything is released.")
        Accuracy accuracy,

        @Schema(description = "How the answer would be computed, as it will state it.")
        MechanismView mechanism,

        @Schema(description = "The synopsis of the dataset that answers this most precisely; null if none does.")
        @Nullable
        FreeFrom freeFrom,

        @Schema(
                description = "The answer to the same question that can be made as good for the difference; null if"
                        + " there is none.")
        RefinedQuestions.@Nullable Offer refines) {}
