package dev.purser.accounting;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.StatedAmount;

/**
 * Basic composition of pure differential privacy: epsilons add up, delta is zero throughout (Dwork and Roth 2014,
 * theorem 3.14; as a filter, Rogers et al. 2016).
 */
public final class PureAccountant implements Accountant {
    @Override
    public String name() {
        return "pure";
    }

    @Override
    public DeltaRule deltaOfLimit() {
        return DeltaRule.ZERO;
    }

    @Override
    public DeltaRule deltaOfQuestion() {
        return DeltaRule.ZERO;
    }

    @Override
    public PrivacyAmount limit(Epsilon epsilon, Delta delta) {
        return PrivacyAmount.pure(epsilon);
    }

    @Override
    public PrivacyAllowance allowance(Epsilon epsilon, Delta delta) {
        return new PrivacyAllowance.Pure(epsilon);
    }

    @Override
    public PrivacyAmount charge(PrivacyEvent event) {
        return switch (event) {
            case PrivacyEvent.PureDifferentialPrivacy(Epsilon epsilon) -> PrivacyAmount.pure(epsilon);
            case PrivacyEvent.ApproximateDifferentialPrivacy other -> throw UnsupportedEvents.event(this, other);
            case PrivacyEvent.ConcentratedDifferentialPrivacy other -> throw UnsupportedEvents.event(this, other);
        };
    }

    @Override
    public StatedAmount stated(PrivacyAmount amount, PrivacyAmount limit) {
        return StatedAmount.withoutRho(amount);
    }
}
