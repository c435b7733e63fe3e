package dev.purser.accounting;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.StatedAmount;

/**
 * A way of composing privacy events, as a privacy filter: a pure function of what is spent, the event and the limit. A new
 * accountant is one class that passes {@code AccountantContract}, and one line in {@link Accountants}.
 */
public interface Accountant {
    /** The name in registrations and budgets. */
    String name();

    /** Which deltas an account's limit may have. */
    DeltaRule deltaOfLimit();

    /** Which deltas a question may have. */
    DeltaRule deltaOfQuestion();

    /** An account's limit, from what its custodian declares; rounded down to whole units. */
    PrivacyAmount limit(Epsilon epsilon, Delta delta);

    /** What a question of this epsilon and delta may lose. */
    PrivacyAllowance allowance(Epsilon epsilon, Delta delta);

    /**
     * What the event charges, rounded up to whole units.
     *
     * @throws IllegalArgumentException if the event is none that a question under this accountant can have
     */
    PrivacyAmount charge(PrivacyEvent event);

    /** An amount of an account as people are shown it. */
    StatedAmount stated(PrivacyAmount amount, PrivacyAmount limit);

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
