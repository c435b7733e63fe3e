package dev.purser.ledger;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The storage of the books. A change is atomic, changes of one account are serialised, and a change is durable when
 * {@link #change} returns. If it throws, the change may or may not have been made, unless the exception is the one that
 * {@code work} threw.
 */
interface LedgerStore {
    /** The statements of one transaction. They may be run more than once. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T run(Books books) throws SQLException;
    }

    /**
     * Runs {@code work} in a transaction.
     *
     * @param account the account whose books it changes
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
}
