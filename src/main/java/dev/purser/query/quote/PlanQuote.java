package dev.purser.query.quote;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.purser.ledger.NamedBlocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The quote of a whole plan of questions. */
@Schema(description = "What a plan of questions would cost under the dataset's accountant. Nothing was spent.")
public record PlanQuote(
        @Schema(
                description =
                        "What all questions would be charged together: the exact sum in the accountant's own units."
                                + " Deltas that add up to more than 1 are stated as 1. With blocks, the most that any"
                                + " of them would be charged.")
        StatedAmount charge,

        @Schema(description = "Whether all of them, one after the other, fit within what remains now.")
        boolean affordable,

        @Schema(
                description = "With blocks, if they are not affordable: those that cannot pay, the least remainder"
                        + " first; at most 100.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable
        List<NamedBlocks> blocks,

        @Schema(
                description = "How many times the whole plan fits within what remains now; at most 2^53 − 1.",
                example = "6")
        long timesAffordable,

        @Schema(description = "In the order of the plan. `affordable` is of each by itself.")
        List<Quote> items,

        @Schema(
                description = "A synopsis that would answer all counts and histograms of the plan as precisely, for a"
                        + " smaller charge; null if none would, or if the plan has other questions.")
        @Nullable
        CheaperSynopsis cheaper) {
    /** The purchase of a synopsis instead of a plan. */
    @Schema(name = "CheaperSynopsis", description = "A synopsis to buy instead of a plan.")
    public record CheaperSynopsis(
            @Schema(description = "The body of `buySynopsis`.", implementation = Object.class) @JsonRawValue
            String request,

            @Schema(description = "Its epsilon.", example = "0.5")
            Epsilon epsilon,

            @Schema(description = "What it would be charged.")
            StatedAmount charge) {}
}
