package dev.purser.ledger.attachment;

/** A stored attachment, as the simulated store keeps it. In the service, no other package sees its key. */
public record OpenedAttachment(String series, Attachments.Draw draw, int pieces) {
    public static OpenedAttachment of(StoredAttachment attached) {
        return new OpenedAttachment(attached.series(), attached.draw(), attached.pieces());
    }
}
