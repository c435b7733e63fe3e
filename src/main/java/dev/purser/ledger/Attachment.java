package dev.purser.ledger;

import dev.purser.digest.Sha256;

/**
 * Content that an answer refers to and that is too long for it. The answer has to state {@link #digest}: it alone says
 * which content is its own.
 *
 * @param series the query id of the first answer that this one adds to; its own, for a first one
 * @param content at least one byte, at most {@link #MAX_BYTES}
 */
public record Attachment(String series, byte[] content) {
    /** It is read as a whole. */
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
