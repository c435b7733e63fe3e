package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;
import java.util.Objects;

/**
 * One analyst's limit within an account's limit.
 *
 * @param limit the analyst's limit, in the form that the account's accountant makes
 * @param spent the sum of all charges of this analyst on the account, including charges before the allotment was set;
 *     if the account has blocks, the largest sum of one block
 */
public record Allotment(String analyst, PrivacyAmount limit, PrivacyAmount spent) {
    public PrivacyAmount remaining() {
        return limit.minusDownToZero(spent);
    }

    /**
     * This allotment after a charge. If the account has blocks, the entry states the largest amount spent of one block.
     */
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
