package dev.purser.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What recomputing an account's books found.
 *
 * @param entries how many entries the account has
 * @param head the hash of its last entry, as stored
 * @param fault the first thing found wrong, in words; null if every entry follows from the ones before it. A chain cannot see
 *     that its own end was cut off together with the account's summary; comparing {@code head} with a copy kept elsewhere can
 */
public record ChainVerification(
        long entries, String head, @Nullable String fault) {
    public boolean valid() {
        return fault == null;
    }
}
