package dev.purser.dataset;

import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * What one upload may use while its rows are written, as {@code purser.upload.*}.
 *
 * @param memoryMegabytes of the database's buffers; what does not fit is spilled to the dataset's own folder
 * @param threads of the database
 */
@Validated
@ConfigurationProperties("purser.upload")
record UploadSettings(
        @Min(64) @DefaultValue("64") int memoryMegabytes,
        @Min(1) @DefaultValue("1") int threads) {
    RowsDatabase.Limits limits() {
        return new RowsDatabase.Limits(memoryMegabytes, threads);
    }
}
