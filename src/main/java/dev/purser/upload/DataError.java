package dev.purser.upload;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A rule that an upload breaks, for its custodian. It never contains a value of the upload.
 *
 * @param line where the rule is broken: for CSV, the line on which the record begins; for Parquet, the row
 * @param column the header of the column
 * @param detail the rule, and what to do
 */
@Schema(description = "A rule that the data breaks. Never contains a value.")
public record DataError(
        @Schema(
                description = "Where: the line of the CSV on which the record begins, or the row of the Parquet"
                        + " file. The first is 1. Null if the rule is about the whole file.",
                example = "17")
        @Nullable
        Long line,

        @Schema(description = "The header of the column; null if the rule is about none.", example = "age") @Nullable
        String column,

        @Schema(
                description = "The rule, and the way out.",
                example = "the value is not an integer: correct it, or list it in the column's"
                        + " missingSpellings if it stands for a missing value")
        String detail) {

    /** The error in one sentence. */
    String sentence() {
        String place = line == null ? "" : "line " + line;
        String name = column == null ? "" : (place.isEmpty() ? "" : ", ") + "column " + column;
        return place + name + (place.isEmpty() && name.isEmpty() ? "" : ": ") + detail;
    }
}
