package dev.purser.privacy;

/**
 * What one release does to privacy, as a function of the request alone. Each accountant prices every event; an event's
 * meaning never changes once released, new ones are added.
 */
public sealed interface PrivacyEvent {
    /**
     * An {@code epsilon}-differentially private release under the dataset's own neighbouring relation and privacy unit.
     *
     * @param epsilon greater than zero
     */
    record PureDifferentialPrivacy(Epsilon epsilon) implements PrivacyEvent {
        public PureDifferentialPrivacy {
            if (epsilon.nanos() == 0) {
                throw new IllegalArgumentException("a release has an epsilon above zero");
            }
        }
    }
}
