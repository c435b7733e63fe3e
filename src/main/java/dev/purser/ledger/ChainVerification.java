package dev.purser.ledger;

import org.jspecify.annotations.Nullable;

/**
 * The result of recomputing an account's books.
 *
 * @param entries how many entries the account has
 * @param head the hash of its last entry, as stored
 * @param fault the first fault found, in words; null if every entry follows from the entries before it. The chain alone
 *     cannot reveal that its last entries were removed together with the account's summary; comparing {@code head} with
 *     a copy kept elsewhere can
 */
public record ChainVerification(
        long entries, String head, @Nullable String fault) {
    public boolean valid() {
        return fault == null;
    }
}
