package dev.purser.upload;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * What uploads may use, as {@code purser.upload.*}.
 *
 * @param maxConcurrent how many uploads are read at a time; further uploads wait
 * @param maxFile the largest Parquet file, which is kept on the disk while it is read
 * @param parquetHeap the heap of the child process that reads Parquet; by default half of the service's own, and 192 MB
 *     at least
 * @param sandbox a command that is put in front of the child process that reads Parquet, or empty
 */
@Validated
@ConfigurationProperties("purser.upload")
public record UploadSettings(
        @Min(1) @Max(1_000) @DefaultValue("4") int maxConcurrent,
        @DefaultValue("8GB") DataSize maxFile,
        @Nullable DataSize parquetHeap,
        @DefaultValue("") String sandbox) {
    private static final DataSize SMALLEST_HEAP = DataSize.ofMegabytes(64);
    private static final DataSize SMALLEST_DEFAULT_HEAP = DataSize.ofMegabytes(192);
    private static final DataSize LARGEST = DataSize.ofTerabytes(1);

    public UploadSettings {
        if (maxFile.toBytes() < 1 || maxFile.compareTo(LARGEST) > 0) {
            throw new IllegalArgumentException("purser.upload.max-file must be 1B to 1TB, was " + maxFile);
        }
        if (parquetHeap != null && (parquetHeap.compareTo(SMALLEST_HEAP) < 0 || parquetHeap.compareTo(LARGEST) > 0)) {
            throw new IllegalArgumentException("purser.upload.parquet-heap must be 64MB to 1TB, was " + parquetHeap);
        }
    }

    /** The heap of a child process that reads Parquet. */
    DataSize childHeap() {
        DataSize half = DataSize.ofBytes(Runtime.getRuntime().maxMemory() / 2);
        DataSize byDefault = half.compareTo(SMALLEST_DEFAULT_HEAP) < 0 ? SMALLEST_DEFAULT_HEAP : half;
        return parquetHeap == null ? byDefault : parquetHeap;
    }
}
