package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.Accountants;
import dev.purser.journal.Head;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.PrivacyAmount;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An account's row. It summarises the account's last entry.
 *
 * @param spent the sum of all charges; if the account has blocks, the largest sum of one block
 * @param blocks null if the account has none
 */
record Account(
        String account,
        Accountant accountant,
        PrivacyAmount limit,
        PrivacyAmount spent,
        long headSequence,
        String headHash,
        @Nullable Blocks blocks) {
    /** The accountant with this name. It existed when the account was opened. */
    static Accountant accountantNamed(String name) {
        return Accountants.named(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no accountant " + name));
    }

    PrivacyAmount remaining() {
        return limit.minusDownToZero(spent);
    }

    /** The account's last entry. */
    Head head() {
        return new Head(headSequence, headHash);
    }

    /** The account's books, with these allotments. */
    Budget budget(List<Allotment> allotments) {
        return new Budget(accountant, limit, spent, allotments);
    }

    /** This account after {@code entry} was written. */
    Account after(LedgerEntry entry) {
        return new Account(
                account, accountant, entry.limitAfter(), entry.spentAfter(), entry.sequence(), entry.hash(), blocks);
    }
}
