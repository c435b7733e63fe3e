package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;

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
}
