package dev.purser.query.web;

import dev.purser.dataset.ColumnValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;

/** The question for quantiles as the API describes it. */
@Schema(
        name = "QuantileQuestion",
        requiredProperties = {"column", "probabilities"})
record QuantileRequest(
        @Schema(description = "A column of numbers, dates or timestamps.", example = "age")
        String column,

        @Schema(
                description = "1 to 100 numbers above 0 and below 1, with at most 6 fraction digits.",
                example = "[0.25, 0.5, 0.75]")
        List<BigDecimal> probabilities,

        @Schema(description = "Narrows the column's lower bound.", example = "0")
        ColumnValue lower,

        @Schema(description = "Narrows the column's upper bound.", example = "125")
        ColumnValue upper) {}
