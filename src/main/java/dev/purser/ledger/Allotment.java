package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;

/**
 * One analyst's ceiling inside an account's limit.
 *
 * @param limit as the account's accountant makes it
 * @param spent all that this analyst was ever charged on the account, before the ceiling was set too
 */
public record Allotment(String analyst, PrivacyAmount limit, PrivacyAmount spent) {
    public PrivacyAmount remaining() {
        return limit.minusDownToZero(spent);
    }
}
