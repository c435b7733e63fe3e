package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.StatedAmount;

/** An account's books at one moment. */
public record Budget(Accountant accountant, PrivacyAmount limit, PrivacyAmount spent) {
    public PrivacyAmount remaining() {
        return limit.minusDownToZero(spent);
    }

    /** One of its amounts as people are shown it. */
    public StatedAmount stated(PrivacyAmount amount) {
        return accountant.stated(amount, limit);
    }
}
