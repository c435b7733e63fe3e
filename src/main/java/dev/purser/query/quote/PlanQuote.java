package dev.purser.query.quote;

import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** The quote of a whole plan of questions. */
@Schema(description = "What a plan of questions would cost under the dataset's accountant. Nothing was spent.")
public record PlanQuote(
        @Schema(
                description =
                        "What all questions would be charged together: the exact sum in the accountant's own units."
                                + " Deltas that add up to more than 1 are stated as 1.")
        StatedAmount charge,

        @Schema(description = "Whether all of them, one after the other, fit within what remains now.")
        boolean affordable,

        @Schema(
                description = "How many times the whole plan fits within what remains now; at most 2^53 − 1.",
                example = "6")
        long timesAffordable,

        @Schema(description = "In the order of the plan. `affordable` is of each by itself.")
        List<Quote> items) {}
