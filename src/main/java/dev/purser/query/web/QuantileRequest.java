package dev.purser.query.web;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;

/** The question for quantiles as the API describes it. */
@Schema(
        name = "QuantileQuestion",
        requiredProperties = {"epsilon", "column", "probabilities"})
record QuantileRequest(
        @Schema(description = "What the answer costs: 0.000001 to 100.", example = "0.5")
        Epsilon epsilon,

        @Schema(description = "0 under the accountant `pure`.", defaultValue = "0", example = "0")
        Delta delta,

        @Schema(
                description = "The probability with which the accuracy statement may fail.",
                defaultValue = "0.05",
                minimum = "0.000000001",
                maximum = "0.999999999",
                example = "0.05")
        BigDecimal beta,

        @Schema(description = "A conjunction of conditions; empty means every row.")
        List<ConditionRequest> where,

        @Schema(description = "A column of numbers.", example = "age")
        String column,

        @Schema(
                description = "1 to 100 numbers above 0 and below 1, with at most 6 fraction digits.",
                example = "[0.25, 0.5, 0.75]")
        List<BigDecimal> probabilities,

        @Schema(description = "Narrows the column's lower bound.", example = "0")
        BigDecimal lower,

        @Schema(description = "Narrows the column's upper bound.", example = "125")
        BigDecimal upper) {}
