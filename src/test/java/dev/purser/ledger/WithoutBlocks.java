package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.privacy.PrivacyAmount;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Parts of the books of an account without blocks. */
final class WithoutBlocks {
    private WithoutBlocks() {}

    static LedgerEntry entry(
            long sequence,
            Instant at,
            LedgerEntry.Type type,
            String analyst,
            @Nullable String queryId,
            @Nullable String kind,
            @Nullable String requestHash,
            PrivacyAmount charge,
            PrivacyAmount limitAfter,
            PrivacyAmount spentAfter,
            @Nullable Allotment allotmentAfter,
            String previousHash,
            String hash) {
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
                null,
                null,
                previousHash,
                hash);
    }

    static Account account(
            String name, Accountant accountant, PrivacyAmount limit, PrivacyAmount spent, long sequence, String hash) {
        return new Account(name, accountant, limit, spent, sequence, hash, null);
    }

    static AccountSnapshot standing(Account account, @Nullable Allotment allotment) {
        return new AccountSnapshot(account, allotment, null, null);
    }
}
