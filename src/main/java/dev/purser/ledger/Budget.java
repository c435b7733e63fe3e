package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.StatedAmount;
import java.util.List;
import java.util.Optional;

/**
 * An account's books at one moment.
 *
 * @param allotments one for each analyst that has an allotment. An allotment with the largest possible limit counts as
 *     taken back and is left out
 */
public record Budget(Accountant accountant, PrivacyAmount limit, PrivacyAmount spent, List<Allotment> allotments) {
    public Budget {
        allotments = allotments.stream()
                .filter(allotment -> !allotment.limit().equals(accountant.largestLimit()))
                .toList();
    }

    public PrivacyAmount remaining() {
        return limit.minusDownToZero(spent);
    }

    /**
     * What this principal may still be charged: the account's remainder, or the remainder of the principal's allotment
     * if less.
     */
    public PrivacyAmount remainingFor(String principal) {
        return allotmentOf(principal)
                .map(allotment -> remaining().least(allotment.remaining()))
                .orElse(remaining());
    }

    /** Whether the principal's allotment leaves the principal less than the account does. */
    public boolean isLessByAllotment(String principal) {
        return !remainingFor(principal).equals(remaining());
    }

    public Optional<Allotment> allotmentOf(String principal) {
        return allotments.stream()
                .filter(allotment -> allotment.analyst().equals(principal))
                .findFirst();
    }

    /** One of these amounts in the form shown to people. */
    public StatedAmount stated(PrivacyAmount amount) {
        return accountant.stated(amount, limit);
    }
}
