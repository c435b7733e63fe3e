package dev.purser.accounting;

import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.Rho;
import dev.purser.privacy.StatedAmount;

/**
 * Composition of zero-concentrated differential privacy: rhos add up. The limit is the largest rho whose releases are
 * together (epsilon, delta)-differentially private, with the epsilon and delta that the custodian declared (Bun and
 * Steinke 2016, lemma 2.3; as a filter, Feldman and Zrnic 2021, Whitehouse et al. 2023). Only rhos are compared.
 */
public final class ConcentratedAccountant implements Accountant {
    @Override
    public String name() {
        return "zcdp";
    }

    @Override
    public DeltaRule deltaOfLimit() {
        return DeltaRule.ABOVE_ZERO;
    }

    @Override
    public DeltaRule deltaOfQuestion() {
        return DeltaRule.ZERO;
    }

    @Override
    public PrivacyAmount limit(Epsilon epsilon, Delta delta) {
        return new PrivacyAmount(epsilon, delta, ConcentratedPrivacy.within(epsilon, delta));
    }

    @Override
    public PrivacyAllowance allowance(Epsilon epsilon, Delta delta) {
        return new PrivacyAllowance.Concentrated(epsilon);
    }

    @Override
    public PrivacyAmount charge(PrivacyEvent event) {
        return switch (event) {
            case PrivacyEvent.PureDifferentialPrivacy(Epsilon epsilon) ->
                PrivacyAmount.concentrated(ConcentratedPrivacy.ofPure(epsilon));
            case PrivacyEvent.ConcentratedDifferentialPrivacy(Rho rho) -> PrivacyAmount.concentrated(rho);
            case PrivacyEvent.ApproximateDifferentialPrivacy other -> throw UnsupportedEvents.event(this, other);
        };
    }

    @Override
    public StatedAmount stated(PrivacyAmount amount, PrivacyAmount limit) {
        Rho rho = amount.rho();
        if (rho.equals(Rho.ZERO)) {
            return new StatedAmount(Epsilon.ZERO, Delta.ZERO, rho);
        }
        // With any rounding, a rho within the limit's rho is stated within the limit's epsilon. A rho equal to the
        // limit's rho is stated as that epsilon, because its rounded conversion could differ.
        Epsilon epsilon = rho.equals(limit.rho()) ? limit.epsilon() : ConcentratedPrivacy.epsilon(rho, limit.delta());
        return new StatedAmount(epsilon, limit.delta(), rho);
    }
}
