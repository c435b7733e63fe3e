package dev.purser.upload;

import java.io.InputStream;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A file of rows as it was sent.
 *
 * @param block the block whose rows it has; empty if all rows of a dataset are in it
 * @param bytes not read yet
 * @param announcedBytes how many there will be; negative if that is not known
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
