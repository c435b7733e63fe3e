package dev.purser.accounting;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.StatedAmount;

/**
 * A composition rule for privacy events, as a privacy filter: a pure function of the spent amount, the event and the
 * limit. A new accountant is one class that passes {@code AccountantContract}, and one line in {@link Accountants}.
 */
public interface Accountant {
    /** The largest epsilon and delta that a limit is declared with. */
    Epsilon MOST_EPSILON = Epsilon.parse(String.valueOf(Epsilon.MAX_WHOLE));

    Delta MOST_DELTA = Delta.parse("0.01");

    /** The name in registrations and budgets. */
    String name();

    /** The deltas that an account's limit may have. */
    DeltaRule deltaOfLimit();

    /** The deltas that a question may have. */
    DeltaRule deltaOfQuestion();

    /**
     * The limit of an account, from the epsilon and delta that its custodian declares. It is rounded down to whole
     * units.
     */
    PrivacyAmount limit(Epsilon epsilon, Delta delta);

    /** The largest limit. No limit of an account is above it, so an allotment of this size refuses nothing. */
    default PrivacyAmount largestLimit() {
        return limit(MOST_EPSILON, deltaOfLimit().permits(MOST_DELTA) ? MOST_DELTA : Delta.ZERO);
    }

    /** The allowance of a question of this epsilon and delta. */
    PrivacyAllowance allowance(Epsilon epsilon, Delta delta);

    /**
     * The charge of the event, rounded up to whole units.
     *
     * @throws IllegalArgumentException if no question under this accountant can have the event
     */
    PrivacyAmount charge(PrivacyEvent event);

    /** An amount of an account, for display. */
    StatedAmount stated(PrivacyAmount amount, PrivacyAmount limit);

    /**
     * Decides whether the event still fits. The decision holds for adaptively chosen questions, each asked after all
     * earlier answers, because the limit was fixed first (Rogers et al. 2016, privacy filters).
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
