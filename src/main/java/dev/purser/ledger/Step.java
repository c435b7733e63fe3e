package dev.purser.ledger;

import org.jspecify.annotations.Nullable;

/**
 * One change of an account: an entry, the account after it, and the question it charges.
 *
 * @param before the account that the entry was made for; null if the entry opens it
 * @param question the question charged; null on a limit entry
 */
record Step(
        @Nullable Account before,
        Account after,
        LedgerEntry entry,
        @Nullable BookedQuestion question) {}
