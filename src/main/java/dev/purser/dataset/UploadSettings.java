package dev.purser.dataset;

import dev.purser.dataset.ingest.StagingDatabase;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * What one upload may use while its rows are written, as {@code purser.upload.*}.
 *
 * @param memoryMegabytes of the database that sorts privacy units; what does not fit is spilled to the dataset's own folder
 * @param threads of that database
 * @param maxParsers uploads that are parsed at a time; further ones wait
 * @param maxFile the largest Parquet file, which is kept on the disk while it is read
 */
@Validated
@ConfigurationProperties("purser.upload")
record UploadSettings(
        @Min(64) @DefaultValue("64") int memoryMegabytes,
        @Min(1) @DefaultValue("1") int threads,
        @Min(1) @DefaultValue("8") int maxParsers,
        @DefaultValue("8GB") DataSize maxFile) {
    StagingDatabase.Limits limits() {
        return new StagingDatabase.Limits(memoryMegabytes, threads);
    }
}
