package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.PrivacyAmount;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One entry of an account's ledger. It is never changed and never removed.
 *
 * @param sequence 1, 2, 3 … without gaps within the account
 * @param at the time, in whole milliseconds, for people to read; no decision depends on it
 * @param analyst the principal that asked, or that set the limit
 * @param queryId the question debited; null on a limit entry
 * @param kind the kind of question; null on a limit entry
 * @param requestHash binds the entry to its request, see {@link LedgerChain#requestHash}; null on a limit entry
 * @param charge what was debited; zero on a limit entry
 * @param limitAfter the account's limit after this entry
 * @param spentAfter the sum of all charges after this entry; if the account has blocks, the largest sum of one block
 * @param allotmentAfter the asker's allotment after a charge, or the allotment that a limit entry sets; null without
 *     one
 * @param opened the blocks of the account, on its first entry; null if it has none
 * @param charged the blocks that were charged; null on a limit entry, and without blocks
 * @param previousHash the previous entry's hash, 64 hexadecimal digits; all zeros on the first
 * @param hash SHA-256 over {@code previousHash} and this entry's canonical bytes
 */
public record LedgerEntry(
        long sequence,
        Instant at,
        Type type,
        String analyst,
        @Nullable String queryId,
        @Nullable String kind,
        @Nullable String requestHash,
        PrivacyAmount charge,
        PrivacyAmount limitAfter,
        PrivacyAmount spentAfter,
        @Nullable Allotment allotmentAfter,
        @Nullable Blocks opened,
        @Nullable BlockCharge charged,
        String previousHash,
        String hash) {
    /** What an entry records. */
    public enum Type {
        /** A question was charged. */
        CHARGE,
        /** The account's limit, or an analyst's allotment in it, was set. */
        LIMIT
    }

    /**
     * What the asker had left after a charge: of the account, or of the allotment if less. If blocks were charged, what
     * was left of these blocks.
     */
    PrivacyAmount remainingAfter() {
        PrivacyAmount ofAccount = limitAfter.minusDownToZero(charged == null ? spentAfter : charged.spentAfter());
        if (allotmentAfter == null) {
            return ofAccount;
        }
        PrivacyAmount allotted = charged == null ? allotmentAfter.spent() : charged.allottedAfter();
        return ofAccount.least(allotmentAfter.limit().minusDownToZero(Objects.requireNonNull(allotted)));
    }

    /** The blocks that were charged; null without blocks. */
    @Nullable
    BlockWindow window() {
        return charged == null ? null : charged.blocks();
    }

    LedgerEntry withHash(String other) {
        return new LedgerEntry(
                sequence,
                at,
                type,
                analyst,
                queryId,
                kind,
                requestHash,
                charge,
                limitAfter,
                spentAfter,
                allotmentAfter,
                opened,
                charged,
                previousHash,
                other);
    }
}
