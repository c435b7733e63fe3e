package dev.purser.accounting;

import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;

/**
 * A way of composing privacy events, as a privacy filter: a pure function of what is spent, the event and the limit. A new
 * accountant is one class that passes {@code AccountantContract}, and one line in {@link Accountants}.
 */
public interface Accountant {
    /** The name in registrations and budgets. */
    String name();

    /** What the event charges, rounded up to whole units. */
    PrivacyAmount charge(PrivacyEvent event);

    /**
     * Whether the event still fits. The decision holds for questions chosen adaptively, each after seeing all earlier
     * answers, because the limit was fixed first (Rogers et al. 2016, privacy filters).
     */
    default Decision decide(PrivacyAmount spent, PrivacyEvent event, PrivacyAmount limit) {
        PrivacyAmount charge = charge(event);
        PrivacyAmount remaining = limit.minusDownToZero(spent);
        if (!charge.fitsWithin(remaining)) {
            return new Decision.Refused(charge, remaining, charge.minusDownToZero(remaining));
        }
        return new Decision.Admitted(charge, spent.plus(charge));
    }
}
