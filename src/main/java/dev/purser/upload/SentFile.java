package dev.purser.upload;

import java.io.InputStream;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A file of rows as it was sent.
 *
 * @param block the block whose rows the file has; empty if it has all rows of a dataset
 * @param bytes the bytes of the file, not read yet
 * @param announcedBytes how many bytes there will be; negative if this is not known
 * @param expectedSha256 the digest that the sender announced, if any
 * @param allowEmpty whether the file may have no rows
 */
public record SentFile(
        OptionalInt block,
        UploadFormat format,
        InputStream bytes,
        long announcedBytes,
        byte @Nullable [] expectedSha256,
        boolean allowEmpty) {
    /** The same file, read through another stream. */
    SentFile with(InputStream other) {
        return new SentFile(block, format, other, announcedBytes, expectedSha256, allowEmpty);
    }
}
