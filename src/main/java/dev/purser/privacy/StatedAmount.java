package dev.purser.privacy;

import org.jspecify.annotations.Nullable;

/**
 * A privacy amount for display. Under {@code zcdp} the rho is the amount. Epsilon is the conversion of this rho at the
 * limit's delta. Such epsilons do not add up.
 *
 * @param rho under {@code zcdp} only
 */
public record StatedAmount(
        Epsilon epsilon, Delta delta, @Nullable Rho rho) {
    /** The amount in words, for a sentence. */
    public String text() {
        return rho == null
                ? "epsilon " + epsilon + " and delta " + delta
                : "rho " + rho + " (epsilon " + epsilon + " at delta " + delta + ")";
    }

    /** An amount that epsilon and delta describe completely. */
    public static StatedAmount withoutRho(PrivacyAmount amount) {
        return new StatedAmount(amount.epsilon(), amount.delta(), null);
    }
}
