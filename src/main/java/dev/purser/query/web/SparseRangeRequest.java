package dev.purser.query.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;

/** The question for ranges above a threshold as the API describes it. */
@Schema(
        name = "SparseRangeQuestion",
        requiredProperties = {"column", "ranges", "threshold", "maxPositives"})
record SparseRangeRequest(
        @Schema(description = "A column of numbers, dates or timestamps.", example = "age")
        String column,

        @Schema(description = "At most 100 000 ranges of the column.")
        List<RangeRequest> ranges,

        @Schema(description = "Rows; an integer.", example = "10000")
        BigDecimal threshold,

        @Schema(description = "How many positives may be released, 1 to 1000.", example = "5")
        int maxPositives,

        @Schema(
                description =
                        "`indices`: positions, all of epsilon in the comparison. `values`: also counts with fresh noise."
                                + " `gaps`: also each positive's distance above the noisy threshold, for no more epsilon.",
                allowableValues = {"indices", "values", "gaps"},
                defaultValue = "indices",
                example = "values")
        String release,

        @Schema(
                allowableValues = {"optimal", "textbook"},
                defaultValue = "optimal",
                example = "optimal")
        String allocation,

        @Schema(
                description =
                        "With allocation `optimal`, how ranges are compared. `automatic`: the one of `single-threshold` and"
                                + " `restart` with the lesser error bound. `one-sided`: noise that is never below zero, with"
                                + " about half that bound; the noisy threshold is moved by a public shift. `adaptive`: for"
                                + " many positives about half the noise for ranges near the threshold, each of which then"
                                + " takes the place of two positives; indices or gaps only.",
                allowableValues = {"automatic", "single-threshold", "restart", "one-sided", "adaptive"},
                defaultValue = "automatic",
                example = "automatic")
        String variant) {}
