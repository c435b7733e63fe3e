package dev.purser.query.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;

/** A range as the API describes it. */
@Schema(
        name = "Range",
        description =
                "At least one end, at most one on each side; every end a multiple of the column's resolution. A range may"
                        + " lie outside the column's bounds.")
record RangeRequest(
        @Schema(description = "Values greater than this.", example = "30")
        BigDecimal above,

        @Schema(description = "Values of at least this.") BigDecimal atLeast,

        @Schema(description = "Values less than this.", example = "50")
        BigDecimal below,

        @Schema(description = "Values of at most this.") BigDecimal atMost) {}
