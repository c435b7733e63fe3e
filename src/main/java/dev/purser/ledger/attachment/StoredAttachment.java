package dev.purser.ledger.attachment;

/**
 * Proof that all pieces of an attachment are stored, and the only copy of the key that opens them until the answer is
 * stored. Only {@link AttachmentPieces#write} creates one.
 */
public final class StoredAttachment {
    private final String queryId;
    private final String series;
    private final Attachments.Draw draw;
    private final int pieces;

    StoredAttachment(String queryId, String series, Attachments.Draw draw, int pieces) {
        this.queryId = queryId;
        this.series = series;
        this.draw = draw;
        this.pieces = pieces;
    }

    /** The question. Its answer names this attachment. */
    public String queryId() {
        return queryId;
    }

    String series() {
        return series;
    }

    Attachments.Draw draw() {
        return draw;
    }

    int pieces() {
        return pieces;
    }
}
