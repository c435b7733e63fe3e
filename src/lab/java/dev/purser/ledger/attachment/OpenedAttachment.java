package dev.purser.ledger.attachment;

/** What the simulated store of attachments keeps of one: in production, only its key's owner sees this. */
public record OpenedAttachment(String series, Attachments.Draw draw, int pieces) {
    public static OpenedAttachment of(StoredAttachment attached) {
        return new OpenedAttachment(attached.series(), attached.draw(), attached.pieces());
    }
}
