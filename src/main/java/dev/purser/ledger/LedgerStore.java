package dev.purser.ledger;

import dev.purser.ledger.attachment.AttachmentStore;
import dev.purser.store.Database;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The storage of the books. A change is atomic and is durable when {@link #change} returns. Changes of one account are
 * serialised. If {@code work} threw the exception that {@link #change} throws, nothing was changed. After any other
 * exception, the change may or may not have been made.
 */
interface LedgerStore extends AttachmentStore {
    /** The statements of one transaction. They may be run more than once. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T run(Books books) throws SQLException;
    }

    /**
     * Runs {@code work} in a transaction.
     *
     * @param account the account whose books the work changes
     */
    <T extends @Nullable Object> T change(String account, Work<T> work);

    /**
     * Runs {@code work} against one snapshot, for display and checks. Its last commits may not be confirmed yet, so
     * nothing may be released from it.
     */
    <T extends @Nullable Object> T look(Work<T> work);

    /** As {@link #look}, for work that is one statement. */
    default <T extends @Nullable Object> T lookOnce(Work<T> work) {
        return look(work);
    }

    @Override
    default void changeAttachments(Change work) {
        change(Database.NO_ACCOUNT, books -> {
            work.run(books.attachments());
            return null;
        });
    }

    @Override
    default <T extends @Nullable Object> T lookAtAttachments(Look<T> work) {
        return lookOnce(books -> work.run(books.attachments()));
    }
}
