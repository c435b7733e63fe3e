package dev.purser.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What the books say of one request at one moment.
 *
 * @param allotment the asker's, or null without one
 * @param earlier the question debited under the same identity, or null
 */
record Standing(
        Account account,
        @Nullable Allotment allotment,
        @Nullable BookedQuestion earlier) {}
