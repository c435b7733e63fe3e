package dev.purser.query.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;

/** The question for the first statistic above a threshold as the API describes it. */
@Schema(
        name = "ThresholdQuestion",
        requiredProperties = {"threshold", "queries"})
record ThresholdRequest(
        @Schema(description = "A multiple of the finest grid of what it is compared with.", example = "100")
        BigDecimal threshold,

        @Schema(
                description =
                        "1 to 100 000 statistics, looked at in this order: of at most 256 different pairs of column and"
                                + " filter, and with at most 1 000 000 conditions together.")
        List<ItemRequest> queries,

        @Schema(
                description = "What is answered when nothing is above: null, or a uniformly random index.",
                allowableValues = {"none", "random"},
                defaultValue = "none",
                example = "none")
        String whenNone) {

    @Schema(name = "ThresholdItem", description = "Exactly one of its members.")
    record ItemRequest(CountItem count, SumItem sum, ClipLossItem clipLoss) {}

    @Schema(name = "ThresholdCount", description = "The number of rows.")
    record CountItem(List<ConditionRequest> where) {}

    @Schema(
            name = "ThresholdSum",
            description = "The sum of a column, each value clamped to [lower, upper].",
            requiredProperties = "column")
    record SumItem(
            @Schema(example = "age") String column,
            @Schema(example = "0") BigDecimal lower,
            @Schema(example = "100") BigDecimal upper,
            List<ConditionRequest> where) {}

    @Schema(
            name = "ThresholdClipLoss",
            description = "Σ min(x, bound) − Σ min(x, bound + step): zero once no value is above the bound.",
            requiredProperties = {"column", "bound", "step"})
    record ClipLossItem(
            @Schema(example = "age") String column,
            @Schema(example = "76") BigDecimal bound,

            @Schema(description = "Above zero.", example = "1")
            BigDecimal step,

            List<ConditionRequest> where) {}
}
