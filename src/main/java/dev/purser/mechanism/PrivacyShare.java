package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.Rho;

/**
 * The privacy loss that one part of a mechanism may have: the stated epsilon of pure privacy or the stated rho of
 * zero-concentrated privacy, whichever gives the smaller error. The parts compose to the whole in either form, and
 * mixed.
 *
 * @param epsilon for a pure part; above zero
 * @param rho for a concentrated part; zero if the share has none
 */
record PrivacyShare(Rational epsilon, Rho rho) {
    /** The whole of an allowance. */
    static PrivacyShare of(PrivacyAllowance allowance) {
        return new PrivacyShare(
                ExactArithmetic.of(allowance.epsilon()),
                switch (allowance) {
                    case PrivacyAllowance.Pure pure -> Rho.ZERO;
                    case PrivacyAllowance.Approximate(Epsilon epsilon, Delta delta) ->
                        ConcentratedPrivacy.within(epsilon, delta);
                    case PrivacyAllowance.Concentrated concentrated -> concentrated.rho();
                });
    }

    /** One of two equal parts of an allowance. */
    static PrivacyShare halfOf(PrivacyAllowance allowance) {
        Epsilon half = new Epsilon(allowance.epsilon().nanos() / 2);
        return switch (allowance) {
            case PrivacyAllowance.Pure pure ->
                new PrivacyShare(ExactArithmetic.of(allowance.epsilon()).dividedBy(Rational.of(2, 1)), Rho.ZERO);
            // Two (ε/2, δ/2) parts compose to (ε, δ).
            case PrivacyAllowance.Approximate(Epsilon epsilon, Delta delta) ->
                new PrivacyShare(
                        ExactArithmetic.of(epsilon).dividedBy(Rational.of(2, 1)),
                        delta.attos() < 2 ? Rho.ZERO : ConcentratedPrivacy.within(half, new Delta(delta.attos() / 2)));
            // Rhos add up, so a pure part may have more than half of epsilon.
            case PrivacyAllowance.Concentrated concentrated -> {
                Rho halfRho = new Rho(concentrated.rho().picos() / 2);
                Epsilon pure = ConcentratedPrivacy.pureWithin(halfRho, 1);
                yield new PrivacyShare(ExactArithmetic.of(pure.compareTo(half) > 0 ? pure : half), halfRho);
            }
        };
    }

    /**
     * The event of a mechanism within an allowance: pure if the mechanism used only the allowance's epsilon, else the
     * event that the allowance charges.
     */
    static PrivacyEvent event(PrivacyAllowance allowance, boolean isPure) {
        return isPure ? new PrivacyEvent.PureDifferentialPrivacy(allowance.epsilon()) : allowance.event();
    }
}
