package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Recomputes an account's books. They are sound if, for every entry in turn: its number follows, it names its predecessor's
 * hash and carries its own, its sums and its allotment follow from the entries before, and what is spent is within the limits
 * of that moment; and at the end, the account's row and its allotments say what the entries say, and every charge has the
 * question it was made for.
 *
 * <p>Takes memory by the number of analysts, not of entries.
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

    ChainVerification verify(Books books) throws SQLException {
        try {
            books.entries(account, 0, Long.MAX_VALUE, this::read);
            require(isSummarised(books), "the account's row or allotments do not say what its last entry says");
            require(
                    books.everyChargeHasItsQuestion(account),
                    "the questions are not the ones that the entries were charged for");
        } catch (IllegalArgumentException notAnEntry) {
            // An amount or a type that no entry and no account can have.
            require(false, "entry " + (entries + 1) + ": " + notAnEntry.getMessage());
        }
        return new ChainVerification(entries, head, fault);
    }

    private void require(boolean sound, String otherwise) {
        if (!sound && fault == null) {
            fault = otherwise;
        }
    }

    /** The first thing found wrong so far, in words; null if nothing was. */
    @Nullable
    String fault() {
        return fault;
    }

    long entries() {
        return entries;
    }

    /** The next entry of the chain. */
    void read(LedgerEntry entry) {
        String name = "entry " + (entries + 1);
        require(entry.sequence() == entries + 1, name + " is missing");
        require(entry.previousHash().equals(head), name + " does not follow the entry before it");
        require(entry.hash().equals(LedgerChain.hash(account, entry)), name + " was changed");
        require(
                entry.spentAfter().equals(spent.plus(entry.charge()))
                        && entry.spentAfter().fitsWithin(entry.limitAfter()),
                name + " has a wrong sum");
        require(
                switch (entry.type()) {
                    case LIMIT ->
                        entry.charge().equals(PrivacyAmount.ZERO) && entry.queryId() == null && setsItsAllotment(entry);
                    case CHARGE ->
                        !entry.charge().equals(PrivacyAmount.ZERO)
                                && entry.limitAfter().equals(limit)
                                && spendsItsAllotment(entry);
                },
                name + " is not what an entry of its type can be");
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

    private boolean isSummarised(Books books) throws SQLException {
        Account row = books.account(account).orElse(null);
        return row != null
                && row.headSequence() == entries
                && row.headHash().equals(head)
                && row.limit().equals(limit)
                && row.spent().equals(spent)
                && Map.copyOf(allotments).equals(byAnalyst(books));
    }

    private Map<String, Allotment> byAnalyst(Books books) throws SQLException {
        Map<String, Allotment> rows = new HashMap<>();
        for (Allotment allotment : books.allotments(account)) {
            rows.put(allotment.analyst(), allotment);
        }
        return rows;
    }
}
