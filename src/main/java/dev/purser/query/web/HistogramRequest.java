package dev.purser.query.web;

import dev.purser.dataset.ColumnValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** The question for a histogram as the API describes it. */
@Schema(
        name = "HistogramQuestion",
        requiredProperties = {"column"})
record HistogramRequest(
        @Schema(
                description =
                        "A column of numbers, dates or timestamps, with edges; or of categories or truth values, without.",
                example = "age")
        String column,

        @Schema(
                description =
                        "For a column of numbers, dates or timestamps: 2 to 100 001 strictly ascending multiples of its resolution. A bin holds values"
                                + " from one edge up to, and without, the next. Values outside all edges are not counted.",
                example = "[0, 20, 40, 125]")
        List<ColumnValue> edges) {}
