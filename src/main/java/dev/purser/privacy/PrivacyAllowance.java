package dev.purser.privacy;

/**
 * What one question may lose, in the terms of its dataset's accountant: what a mechanism is built for. Whatever the mechanism
 * makes of it, {@link #event} is what is charged.
 */
public sealed interface PrivacyAllowance {
    /** The epsilon that was asked for; an epsilon-differentially private release is always within the allowance. */
    Epsilon epsilon();

    /** What is charged. */
    PrivacyEvent event();

    /** Pure epsilon. */
    record Pure(Epsilon epsilon) implements PrivacyAllowance {
        @Override
        public PrivacyEvent event() {
            return new PrivacyEvent.PureDifferentialPrivacy(epsilon);
        }
    }

    /**
     * Epsilon except with probability delta.
     *
     * @param delta above zero
     */
    record Approximate(Epsilon epsilon, Delta delta) implements PrivacyAllowance {
        @Override
        public PrivacyEvent event() {
            return new PrivacyEvent.ApproximateDifferentialPrivacy(epsilon, delta);
        }
    }

    /** As much rho as an epsilon-differentially private release can lose: see {@link ConcentratedPrivacy#ofPure}. */
    record Concentrated(Epsilon epsilon) implements PrivacyAllowance {
        @Override
        public PrivacyEvent event() {
            return new PrivacyEvent.ConcentratedDifferentialPrivacy(rho());
        }

        public Rho rho() {
            return ConcentratedPrivacy.ofPure(epsilon);
        }
    }
}
