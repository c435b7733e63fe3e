package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Recomputes an account's chain, entry by entry. Every entry has to have the next sequence number, its predecessor's
 * hash and its own hash; its sums and its allotment have to follow from the entries before; what is spent has to be
 * within the limits of that moment. At the end, the account's row and its allotments have to agree with the entries.
 *
 * <p>Memory grows with the number of analysts, not of entries.
 */
final class ChainVerifier {
    private final String account;
    private final Map<String, PrivacyAmount> charged = new HashMap<>();
    private final Map<String, Allotment> allotments = new HashMap<>();
    private long entries;
    private String head = LedgerChain.GENESIS;
    private PrivacyAmount limit = PrivacyAmount.ZERO;
    private PrivacyAmount spent = PrivacyAmount.ZERO;
    private @Nullable String fault;

    ChainVerifier(String account) {
        this.account = account;
    }

    /** Records {@code otherwise} as the fault if {@code sound} is false and no fault was found before. */
    void require(boolean sound, String otherwise) {
        if (!sound && fault == null) {
            fault = otherwise;
        }
    }

    /** The same check for the next entry. */
    private void requireOfEntry(boolean sound, String otherwise) {
        if (!sound) {
            require(false, "entry " + (entries + 1) + otherwise);
        }
    }

    /** The first fault found so far, in words; null if there is none. */
    @Nullable
    String fault() {
        return fault;
    }

    long entries() {
        return entries;
    }

    ChainVerification verification() {
        return new ChainVerification(entries, head, fault);
    }

    /** Reads the next entry of the chain. */
    void read(LedgerEntry entry) {
        read(entry, entry.hash().equals(LedgerChain.hash(account, entry)));
    }

    /**
     * Reads the next entry of the chain.
     *
     * @param hashed whether the entry has the hash that belongs to it
     */
    void read(LedgerEntry entry, boolean hashed) {
        requireOfEntry(entry.sequence() == entries + 1, " is missing");
        requireOfEntry(entry.previousHash().equals(head), " does not follow the entry before it");
        requireOfEntry(hashed, " was changed");
        requireOfEntry(
                entry.spentAfter().equals(spent.plus(entry.charge()))
                        && entry.spentAfter().fitsWithin(entry.limitAfter()),
                " has a wrong sum");
        requireOfEntry(
                switch (entry.type()) {
                    case LIMIT ->
                        entry.charge().equals(PrivacyAmount.ZERO) && entry.queryId() == null && setsItsAllotment(entry);
                    case CHARGE ->
                        !entry.charge().equals(PrivacyAmount.ZERO)
                                && entry.limitAfter().equals(limit)
                                && spendsItsAllotment(entry);
                },
                " is not valid for its type");
        entries++;
        head = entry.hash();
        limit = entry.limitAfter();
        spent = entry.spentAfter();
    }

    private boolean setsItsAllotment(LedgerEntry entry) {
        Allotment set = entry.allotmentAfter();
        if (set == null) {
            return true;
        }
        allotments.put(set.analyst(), set);
        return entry.limitAfter().equals(limit)
                && set.spent().equals(charged.getOrDefault(set.analyst(), PrivacyAmount.ZERO))
                && set.spent().fitsWithin(set.limit());
    }

    private boolean spendsItsAllotment(LedgerEntry entry) {
        charged.merge(entry.analyst(), entry.charge(), PrivacyAmount::plus);
        Allotment before = allotments.get(entry.analyst());
        Allotment after = entry.allotmentAfter();
        if (before == null) {
            return after == null;
        }
        Allotment due =
                new Allotment(before.analyst(), before.limit(), before.spent().plus(entry.charge()));
        allotments.put(due.analyst(), due);
        return due.equals(after) && due.spent().fitsWithin(due.limit());
    }

    /** Whether the account's row and its allotments agree with the entries. */
    boolean isSummarisedBy(@Nullable Account row, List<Allotment> rows) {
        return row != null
                && row.headSequence() == entries
                && row.headHash().equals(head)
                && row.limit().equals(limit)
                && row.spent().equals(spent)
                && rows.size() == allotments.size()
                && rows.stream().allMatch(each -> each.equals(allotments.get(each.analyst())));
    }
}
