package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Proof that a question was debited in a committed, durable transaction. Only the ledger creates one. An engine cannot
 * be called without it.
 */
public final class CommittedDebit {
    private final String queryId;
    private final String account;
    private final long sequence;
    private final PrivacyAmount charge;
    private final PrivacyAmount limit;
    private final PrivacyAmount remainingAfter;
    private final @Nullable BlockWindow blocks;

    CommittedDebit(
            String queryId,
            String account,
            long sequence,
            PrivacyAmount charge,
            PrivacyAmount limit,
            PrivacyAmount remainingAfter,
            @Nullable BlockWindow blocks) {
        this.queryId = queryId;
        this.account = account;
        this.sequence = sequence;
        this.charge = charge;
        this.limit = limit;
        this.remainingAfter = remainingAfter;
        this.blocks = blocks;
    }

    public String queryId() {
        return queryId;
    }

    public String account() {
        return account;
    }

    public long sequence() {
        return sequence;
    }

    public PrivacyAmount charge() {
        return charge;
    }

    /** Whether the event has the price that was charged. */
    public boolean paysFor(PrivacyEvent event, Accountant accountant) {
        return accountant.charge(event).equals(charge);
    }

    /** The account's limit at this debit. */
    public PrivacyAmount limit() {
        return limit;
    }

    /**
     * What the asker had left after this debit: the account's remainder, or the remainder of the asker's allotment if
     * less.
     */
    public PrivacyAmount remainingAfter() {
        return remainingAfter;
    }

    /** The blocks that paid. No row of another block is read for this question. Empty if the account has no blocks. */
    public Optional<BlockWindow> blocks() {
        return Optional.ofNullable(blocks);
    }

    @Override
    public String toString() {
        return "CommittedDebit[" + queryId + ", " + account + "#" + sequence + "]";
    }
}
