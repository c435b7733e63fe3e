package dev.purser.ledger;

import dev.purser.ledger.attachment.StoredAttachment;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a debited question, to be stored.
 *
 * @param attached what the answer refers to; null if nothing
 * @param released the integers that it was made of; null if it cannot be refined
 */
public record Settlement(
        CommittedDebit debit,
        byte[] body,
        @Nullable StoredAttachment attached,
        @Nullable Released released) {
    public Settlement {
        if (attached != null && !attached.queryId().equals(debit.queryId())) {
            throw new IllegalArgumentException(
                    "an attachment of " + attached.queryId() + " is none of " + debit.queryId());
        }
    }

    /** An answer that has an attachment and cannot be refined. */
    public Settlement(CommittedDebit debit, byte[] body, StoredAttachment attached) {
        this(debit, body, attached, null);
    }

    /** An answer that has no attachment and cannot be refined. */
    public Settlement(CommittedDebit debit, byte[] body) {
        this(debit, body, null, null);
    }
}
