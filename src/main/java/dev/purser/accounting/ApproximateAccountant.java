package dev.purser.accounting;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.StatedAmount;

/**
 * Basic composition of approximate differential privacy: epsilons add up, and so do deltas (Dwork and Roth 2014,
 * theorem 3.16; as a filter, Rogers et al. 2016, theorem 3.6).
 */
public final class ApproximateAccountant implements Accountant {
    @Override
    public String name() {
        return "approximate";
    }

    @Override
    public DeltaRule deltaOfLimit() {
        return DeltaRule.ANY;
    }

    @Override
    public DeltaRule deltaOfQuestion() {
        return DeltaRule.ANY;
    }

    @Override
    public PrivacyAmount limit(Epsilon epsilon, Delta delta) {
        return new PrivacyAmount(epsilon, delta);
    }

    @Override
    public PrivacyAllowance allowance(Epsilon epsilon, Delta delta) {
        return delta.equals(Delta.ZERO)
                ? new PrivacyAllowance.Pure(epsilon)
                : new PrivacyAllowance.Approximate(epsilon, delta);
    }

    @Override
    public PrivacyAmount charge(PrivacyEvent event) {
        return switch (event) {
            case PrivacyEvent.PureDifferentialPrivacy(Epsilon epsilon) -> PrivacyAmount.pure(epsilon);
            case PrivacyEvent.ApproximateDifferentialPrivacy(Epsilon epsilon, Delta delta) ->
                new PrivacyAmount(epsilon, delta);
            case PrivacyEvent.ConcentratedDifferentialPrivacy other -> throw UnsupportedEvents.event(this, other);
        };
    }

    @Override
    public StatedAmount stated(PrivacyAmount amount, PrivacyAmount limit) {
        return StatedAmount.withoutRho(amount);
    }
}
