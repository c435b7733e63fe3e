package dev.purser.privacy;

/**
 * The effect of one release on privacy, under the dataset's neighbouring relation and privacy unit, as a function of
 * the request alone. The meaning of a released event never changes. A new meaning gets a new event.
 */
public sealed interface PrivacyEvent {
    /**
     * An {@code epsilon}-differentially private release.
     *
     * @param epsilon greater than zero
     */
    record PureDifferentialPrivacy(Epsilon epsilon) implements PrivacyEvent {
        public PureDifferentialPrivacy {
            requireAboveZero(epsilon.nanos());
        }
    }

    /**
     * An {@code (epsilon, delta)}-differentially private release.
     *
     * @param epsilon greater than zero
     * @param delta greater than zero
     */
    record ApproximateDifferentialPrivacy(Epsilon epsilon, Delta delta) implements PrivacyEvent {
        public ApproximateDifferentialPrivacy {
            requireAboveZero(epsilon.nanos());
            requireAboveZero(delta.attos());
        }
    }

    /**
     * A {@code rho}-zero-concentrated differentially private release.
     *
     * @param rho greater than zero
     */
    record ConcentratedDifferentialPrivacy(Rho rho) implements PrivacyEvent {
        public ConcentratedDifferentialPrivacy {
            requireAboveZero(rho.picos());
        }
    }

    private static void requireAboveZero(long units) {
        if (units == 0) {
            throw new IllegalArgumentException("a release loses some privacy");
        }
    }
}
