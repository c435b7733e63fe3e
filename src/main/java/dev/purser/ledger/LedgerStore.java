package dev.purser.ledger;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Where the books are kept. A change is all or nothing, changes of one account come one after another, and what {@link
 * #change} has returned is durable. If it throws, the change may have been made or not, unless the exception is the one that
 * {@code work} threw.
 */
interface LedgerStore {
    /** What is done inside one transaction; it may be run more than once. */
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

    /** Runs {@code work} against one snapshot: for looking, not for releasing. Its last commits may not be confirmed yet. */
    <T extends @Nullable Object> T look(Work<T> work);
}
