package dev.purser.query.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;

/** The question for a mean as the API describes it. */
@Schema(
        name = "MeanQuestion",
        requiredProperties = {"column"})
record MeanRequest(
        @Schema(description = "A column of numbers.", example = "age")
        String column,

        @Schema(
                allowableValues = {"auto-clip", "sum-and-count", "centered", "known-count"},
                defaultValue = "centered",
                example = "centered")
        String method,

        @Schema(description = "Narrows the column's lower bound.", example = "0")
        BigDecimal lower,

        @Schema(description = "Narrows the column's upper bound.", example = "125")
        BigDecimal upper) {}
