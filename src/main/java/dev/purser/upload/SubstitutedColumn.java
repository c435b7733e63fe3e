package dev.purser.upload;

import io.swagger.v3.oas.annotations.media.Schema;

/**
 * How many values of a column were replaced by its substitute.
 *
 * @param column the header of the column
 * @param missing how many of its values were missing
 * @param unlisted how many of its values were not listed as categories
 */
public record SubstitutedColumn(
        @Schema(description = "The header of the column.", example = "hours-per-week")
        String column,

        @Schema(description = "How many of its values were missing.", example = "12")
        long missing,

        @Schema(description = "How many of its values were no listed category.", example = "0")
        long unlisted) {
    @Override
    public String toString() {
        return "SubstitutedColumn[redacted]";
    }
}
