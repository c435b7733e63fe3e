package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;
import org.jspecify.annotations.Nullable;

/**
 * The state of the books that one request depends on, at one moment.
 *
 * @param allotment the asker's allotment; null without one
 * @param earlier the question debited under the same identity; null if there is none
 */
record AccountSnapshot(
        Account account,
        @Nullable Allotment allotment,
        @Nullable BookedQuestion earlier) {
    /** What the asker has left: of the account, or of the allotment if that is less. */
    PrivacyAmount remaining() {
        return allotment == null ? account.remaining() : account.remaining().least(allotment.remaining());
    }

    Leftover leftover() {
        return new Leftover(account.limit(), remaining());
    }

    /** The state after a charge of the asker. */
    AccountSnapshot after(Step step) {
        return new AccountSnapshot(step.after(), step.entry().allotmentAfter(), null);
    }
}
