package dev.purser.dataset;

import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * What one open rows file may use, as {@code purser.rows.*}.
 *
 * @param memoryMegabytes of buffers; what does not fit is spilled to the dataset's own folder
 * @param threads of one pass over the rows
 */
@Validated
@ConfigurationProperties("purser.rows")
public record RowsSettings(
        @Min(32) @DefaultValue("128") int memoryMegabytes,
        @Min(1) @DefaultValue("2") int threads) {
    /** The same for the database. */
    public RowsDatabase.Limits limits() {
        return new RowsDatabase.Limits(memoryMegabytes, threads);
    }
}
