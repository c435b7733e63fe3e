package dev.purser.dataset;

import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * What uploads may use, as {@code purser.upload.*}.
 *
 * @param maxParsers uploads that are parsed at a time; further ones wait
 * @param maxFile the largest Parquet file, which is kept on the disk while it is read
 */
@Validated
@ConfigurationProperties("purser.upload")
record UploadSettings(
        @Min(1) @DefaultValue("8") int maxParsers,
        @DefaultValue("8GB") DataSize maxFile) {}
