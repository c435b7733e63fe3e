package dev.purser.ledger;

import dev.purser.privacy.Epsilon;

/**
 * The integers that an answer was made of. They are kept so that the answer can be refined.
 *
 * @param series the digest of the question without its epsilon
 * @param epsilon the epsilon of the whole chain up to this answer
 * @param integers the released integers; empty if the answer cannot be refined any more
 */
public record Released(byte[] series, Epsilon epsilon, byte[] integers) {
    /** Whether a copy of the ledger was accepted since. An answer that refined this answer may then be lost. */
    public boolean isEnded() {
        return integers.length == 0;
    }
}
