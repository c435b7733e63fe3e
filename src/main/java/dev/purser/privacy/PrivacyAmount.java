package dev.purser.privacy;

/** A pair of exact privacy amounts: a limit, what is spent, what remains, or one charge. */
public record PrivacyAmount(Epsilon epsilon, Delta delta) {
    public static final PrivacyAmount ZERO = new PrivacyAmount(Epsilon.ZERO, Delta.ZERO);

    /** {@code epsilon} with delta 0. */
    public static PrivacyAmount pure(Epsilon epsilon) {
        return new PrivacyAmount(epsilon, Delta.ZERO);
    }

    /**
     * The exact sum.
     *
     * @throws IllegalArgumentException if a part would pass its type's ceiling
     */
    public PrivacyAmount plus(PrivacyAmount other) {
        return new PrivacyAmount(
                new Epsilon(epsilon.nanos() + other.epsilon.nanos()), new Delta(delta.attos() + other.delta.attos()));
    }

    /** This less {@code other}, each part at least zero: what remains of a limit, or what is short of one. */
    public PrivacyAmount minusDownToZero(PrivacyAmount other) {
        return new PrivacyAmount(
                new Epsilon(Math.max(0, epsilon.nanos() - other.epsilon.nanos())),
                new Delta(Math.max(0, delta.attos() - other.delta.attos())));
    }

    /** Whether neither part passes {@code limit}; equality fits. */
    public boolean fitsWithin(PrivacyAmount limit) {
        return epsilon.compareTo(limit.epsilon) <= 0 && delta.compareTo(limit.delta) <= 0;
    }
}
