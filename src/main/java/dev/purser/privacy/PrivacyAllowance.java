package dev.purser.privacy;

/**
 * The privacy loss that one question may have, in the terms of its dataset's accountant. A mechanism is built for an
 * allowance. {@link #event} is charged even if the mechanism loses less.
 */
public sealed interface PrivacyAllowance {
    /** The requested epsilon. An epsilon-differentially private release is always within the allowance. */
    Epsilon epsilon();

    /** The charged event. */
    PrivacyEvent event();

    /** Pure epsilon. */
    record Pure(Epsilon epsilon) implements PrivacyAllowance {
        @Override
        public PrivacyEvent event() {
            return new PrivacyEvent.PureDifferentialPrivacy(epsilon);
        }
    }

    /**
     * Epsilon, except with probability delta.
     *
     * @param delta above zero
     */
    record Approximate(Epsilon epsilon, Delta delta) implements PrivacyAllowance {
        @Override
        public PrivacyEvent event() {
            return new PrivacyEvent.ApproximateDifferentialPrivacy(epsilon, delta);
        }
    }

    /** The largest rho of an epsilon-differentially private release: see {@link ConcentratedPrivacy#ofPure}. */
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
