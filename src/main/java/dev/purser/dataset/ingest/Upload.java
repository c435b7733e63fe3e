package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.UploadFormat;
import java.io.InputStream;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A file on its way in.
 *
 * @param expectedSha256 the digest the sender announced, if any
 * @param progress told from time to time how many rows were read
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
public record Upload(UploadFormat format, InputStream bytes, byte @Nullable [] expectedSha256, LongConsumer progress) {}
