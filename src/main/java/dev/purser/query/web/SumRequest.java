package dev.purser.query.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;

/** The question for a sum as the API describes it. */
@Schema(
        name = "SumQuestion",
        requiredProperties = {"column"})
record SumRequest(
        @Schema(description = "A column of numbers.", example = "age")
        String column,

        @Schema(description = "Narrows the column's lower bound.", example = "0")
        BigDecimal lower,

        @Schema(description = "Narrows the column's upper bound.", example = "125")
        BigDecimal upper) {}
