package dev.purser.query.web;

import dev.purser.dataset.ColumnValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** One condition of a {@code where} as the API describes it. */
@Schema(
        name = "Condition",
        description =
                "A range of a column of numbers, dates or timestamps, its ends written as the column's type writes them,"
                        + " or permitted categories of a column of categories or truth values.",
        requiredProperties = "column")
record ConditionRequest(
        @Schema(example = "age") String column,

        @Schema(description = "Values greater than this.", example = "30")
        ColumnValue above,

        @Schema(description = "Values of at least this.") ColumnValue atLeast,

        @Schema(description = "Values less than this.", example = "50")
        ColumnValue below,

        @Schema(description = "Values of at most this.") ColumnValue atMost,

        @Schema(description = "Permitted categories; of a column of truth values \"false\" and \"true\".")
        List<String> in) {}
