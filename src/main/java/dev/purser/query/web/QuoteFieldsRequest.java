package dev.purser.query.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;

/** The fields that a quote takes besides those of its question, as the API describes them. */
@Schema
record QuoteFieldsRequest(
        @Schema(
                description =
                        "In place of `epsilon`: above 0, in the unit of the answer's `accuracy.alpha`. Finds the least"
                                + " epsilon whose alpha is at most this; one nano-epsilon less would miss it.")
        BigDecimal targetAlpha,

        @Schema(
                description =
                        "How many rows are taken to pass, 1 to the dataset's `maxRows`, which is the default. Nobody looks"
                                + " how many do.",
                example = "1000")
        long assumedRows) {}
