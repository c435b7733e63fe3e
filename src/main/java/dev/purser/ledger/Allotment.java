package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;
import java.util.Objects;

/**
 * One analyst's limit within an account's limit.
 *
 * @param limit as the account's accountant makes it
 * @param spent the sum of all charges of this analyst on the account, including those before the allotment was set; of
 *     an account with blocks, the most that is spent of one
 */
public record Allotment(String analyst, PrivacyAmount limit, PrivacyAmount spent) {
    public PrivacyAmount remaining() {
        return limit.minusDownToZero(spent);
    }

    /** The same after a charge. Of blocks the entry says what is spent then of the one of which most is. */
    Allotment after(LedgerEntry charge) {
        BlockCharge ofBlocks = charge.charged();
        return new Allotment(
                analyst,
                limit,
                ofBlocks == null
                        ? spent.plus(charge.charge())
                        : spent.most(Objects.requireNonNullElse(ofBlocks.allottedAfter(), PrivacyAmount.ZERO)));
    }
}
