package dev.purser.privacy;

import org.jspecify.annotations.Nullable;

/**
 * An amount of privacy as people are shown it. Under {@code zcdp} rho is what counts, and epsilon is what that rho comes to at
 * the limit's delta: such epsilons do not add up.
 *
 * @param rho under {@code zcdp} only
 */
public record StatedAmount(
        Epsilon epsilon, Delta delta, @Nullable Rho rho) {
    /** In words, for a sentence. */
    public String text() {
        return rho == null
                ? "epsilon " + epsilon + " and delta " + delta
                : "rho " + rho + " (epsilon " + epsilon + " at delta " + delta + ")";
    }

    /** An amount that epsilon and delta say all of. */
    public static StatedAmount withoutRho(PrivacyAmount amount) {
        return new StatedAmount(amount.epsilon(), amount.delta(), null);
    }
}
