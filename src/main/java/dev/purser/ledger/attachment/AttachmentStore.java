package dev.purser.ledger.attachment;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The transactions of attachments. The ledger implements it, with the store of its books. */
public interface AttachmentStore {
    /** The statements of one transaction. They may be run more than once. */
    @FunctionalInterface
    interface Change {
        void run(Attachments attachments) throws SQLException;
    }

    /** One statement that reads. */
    @FunctionalInterface
    interface Look<T extends @Nullable Object> {
        T run(Attachments attachments) throws SQLException;
    }

    /** Runs {@code change} in a transaction, which is durable when this returns. */
    void changeAttachments(Change change);

    /** Runs {@code look} against one snapshot, whose last commits may not be confirmed yet. */
    <T extends @Nullable Object> T lookAtAttachments(Look<T> look);
}
