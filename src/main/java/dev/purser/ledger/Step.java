package dev.purser.ledger;

import org.jspecify.annotations.Nullable;

/**
 * The one thing the ledger ever writes: an entry, with the account it leaves behind and the question it pays for.
 *
 * @param before the account that the entry was made for; null where the entry opens it
 * @param question the question charged; null on a limit entry
 */
record Step(
        @Nullable Account before,
        Account after,
        LedgerEntry entry,
        @Nullable BookedQuestion question) {}
