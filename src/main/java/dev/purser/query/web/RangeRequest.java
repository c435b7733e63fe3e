package dev.purser.query.web;

import dev.purser.dataset.ColumnValue;
import io.swagger.v3.oas.annotations.media.Schema;

/** A range as the API describes it. */
@Schema(
        name = "Range",
        description =
                "At least one end, at most one on each side; every end a multiple of the column's resolution, written as its type"
                        + " writes it (\"2020-01-31\", \"2020-01-31T12:00:00Z\"). A range may lie outside the column's bounds.")
record RangeRequest(
        @Schema(description = "Values greater than this.", example = "30")
        ColumnValue above,

        @Schema(description = "Values of at least this.") ColumnValue atLeast,

        @Schema(description = "Values less than this.", example = "50")
        ColumnValue below,

        @Schema(description = "Values of at most this.") ColumnValue atMost) {}
