package dev.purser.ledger;

import org.jspecify.annotations.Nullable;

/**
 * The state of the books that one request depends on, at one moment.
 *
 * @param allotment the asker's allotment; null without one
 * @param earlier the question debited under the same identity; null if there is none
 */
record Standing(
        Account account,
        @Nullable Allotment allotment,
        @Nullable BookedQuestion earlier) {}
