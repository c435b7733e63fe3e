package dev.purser.query.web;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;

/** The question for a histogram as the API describes it. */
@Schema(
        name = "HistogramQuestion",
        requiredProperties = {"epsilon", "column"})
record HistogramRequest(
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

        @Schema(description = "A column of numbers, with edges, or of categories, without.", example = "age")
        String column,

        @Schema(
                description =
                        "For a column of numbers: 2 to 100 001 strictly ascending multiples of its resolution. A bin holds values"
                                + " from one edge up to, and without, the next. Values outside all edges are not counted.",
                example = "[0, 20, 40, 125]")
        List<BigDecimal> edges) {}
