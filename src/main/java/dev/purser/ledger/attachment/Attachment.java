package dev.purser.ledger.attachment;

import dev.purser.digest.Sha256;

/**
 * Content that an answer refers to because the answer cannot hold so much. The answer has to state {@link #digest},
 * because only the answer says which content belongs to it.
 *
 * @param series the query id of the first answer of the series; the answer's own query id if it is the first
 * @param content at least one byte, at most {@link #MAX_BYTES}
 */
public record Attachment(String series, byte[] content) {
    /** The most bytes of an attachment, which is read into memory as a whole. */
    public static final int MAX_BYTES = 64 << 20;

    public Attachment {
        if (content.length == 0 || content.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "an attachment must have at least 1 and at most " + MAX_BYTES + " bytes, had " + content.length);
        }
    }

    /** The SHA-256 digest of the content. */
    public byte[] digest() {
        return Sha256.of(content);
    }
}
