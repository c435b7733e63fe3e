package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;

/** An account's books at one moment. */
public record Budget(String accountant, PrivacyAmount limit, PrivacyAmount spent) {
    public PrivacyAmount remaining() {
        return limit.minusDownToZero(spent);
    }
}
