package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;
import dev.purser.store.Session;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Recomputes an account's books. Valid means, for every entry in turn: its number follows, it names its predecessor's hash
 * and carries its own, its sums follow from the entry before, what is spent is within the limit of that moment; and at the
 * end, the account's row says what the last entry says, and every charge has the question it was made for.
 */
final class ChainVerifier {
    private final String account;
    private long entries;
    private String head = LedgerChain.GENESIS;
    private PrivacyAmount limit = PrivacyAmount.ZERO;
    private PrivacyAmount spent = PrivacyAmount.ZERO;
    private boolean valid = true;

    ChainVerifier(String account) {
        this.account = account;
    }

    ChainVerification verify(Session connection) throws SQLException {
        try {
            LedgerTables.entries(connection, account, 0, Long.MAX_VALUE, entry -> {
                valid &= follows(entry);
                entries++;
                head = entry.hash();
                limit = entry.limitAfter();
                spent = entry.spentAfter();
            });
            valid &= isSummarised(LedgerTables.account(connection, account))
                    && LedgerTables.everyChargeHasItsQuestion(connection, account);
        } catch (IllegalArgumentException notAnEntry) {
            // An amount or a type that no entry and no account can have.
            valid = false;
        }
        return new ChainVerification(entries, head, valid);
    }

    private boolean follows(LedgerEntry entry) {
        return entry.sequence() == entries + 1
                && entry.previousHash().equals(head)
                && entry.hash().equals(LedgerChain.hash(account, entry))
                && isOfItsType(entry)
                && entry.spentAfter().equals(spent.plus(entry.charge()))
                && entry.spentAfter().fitsWithin(entry.limitAfter());
    }

    private boolean isOfItsType(LedgerEntry entry) {
        boolean isZero = entry.charge().equals(PrivacyAmount.ZERO);
        return switch (entry.type()) {
            case LIMIT -> isZero;
            case CHARGE -> !isZero && entry.limitAfter().equals(limit);
        };
    }

    private boolean isSummarised(@Nullable Account row) {
        return row != null
                && row.headSequence() == entries
                && row.headHash().equals(head)
                && row.limit().equals(limit)
                && row.spent().equals(spent);
    }
}
