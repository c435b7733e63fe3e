package dev.purser.query.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;

/** One condition of a {@code where} as the API describes it. */
@Schema(
        name = "Condition",
        description = "A range of a column of numbers, or permitted categories of a column of categories.",
        requiredProperties = "column")
record ConditionRequest(
        @Schema(example = "age") String column,

        @Schema(description = "Values greater than this.", example = "30")
        BigDecimal above,

        @Schema(description = "Values of at least this.") BigDecimal atLeast,

        @Schema(description = "Values less than this.", example = "50")
        BigDecimal below,

        @Schema(description = "Values of at most this.") BigDecimal atMost,

        @Schema(description = "Permitted categories.") List<String> in) {}
