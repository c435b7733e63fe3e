package dev.purser.upload;

import io.swagger.v3.oas.annotations.media.Schema;

/**
 * How much of a column an upload clamped.
 *
 * @param column the header of the column
 * @param values how many of its values lay outside its bounds
 */
public record ClampedColumn(
        @Schema(description = "The header of the column.", example = "age")
        String column,

        @Schema(description = "How many of its values lay outside its bounds and became a bound.", example = "3")
        long values) {
    @Override
    public String toString() {
        return "ClampedColumn[redacted]";
    }
}
