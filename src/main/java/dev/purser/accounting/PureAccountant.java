package dev.purser.accounting;

import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;

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
    public PrivacyAmount charge(PrivacyEvent event) {
        return switch (event) {
            case PrivacyEvent.PureDifferentialPrivacy pure -> PrivacyAmount.pure(pure.epsilon());
        };
    }
}
