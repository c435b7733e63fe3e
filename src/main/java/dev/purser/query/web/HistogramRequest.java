package dev.purser.query.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;

/** The question for a histogram as the API describes it. */
@Schema(
        name = "HistogramQuestion",
        requiredProperties = {"column"})
record HistogramRequest(
        @Schema(description = "A column of numbers, with edges, or of categories, without.", example = "age")
        String column,

        @Schema(
                description =
                        "For a column of numbers: 2 to 100 001 strictly ascending multiples of its resolution. A bin holds values"
                                + " from one edge up to, and without, the next. Values outside all edges are not counted.",
                example = "[0, 20, 40, 125]")
        List<BigDecimal> edges) {}
