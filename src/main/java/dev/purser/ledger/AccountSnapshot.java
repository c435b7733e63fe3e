package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of the books that one request depends on, at one moment.
 *
 * @param allotment the asker's allotment; null if there is none
 * @param earlier the question debited under the same identity; null if there is none
 * @param blocks the books of the blocks that the request names; null for an account without blocks
 */
record AccountSnapshot(
        Account account,
        @Nullable Allotment allotment,
        @Nullable BookedQuestion earlier,
        @Nullable BlockBooks blocks) {
    /** The amount spent of the account. If a window is named, the largest amount spent of one block of the window. */
    PrivacyAmount spent(@Nullable BlockWindow window) {
        return window == null ? account.spent() : books().spent(window);
    }

    /** As {@link #spent}, for the asker's allotment. */
    PrivacyAmount spentOfAllotment(Allotment own, @Nullable BlockWindow window) {
        return window == null ? own.spent() : books().spentOfAllotment(window);
    }

    /** What the asker has left: the account's remainder, or the allotment's remainder if less. */
    private PrivacyAmount remaining(@Nullable BlockWindow window) {
        if (window != null) {
            return books().remaining(window);
        }
        return allotment == null ? account.remaining() : account.remaining().least(allotment.remaining());
    }

    Leftover leftover(@Nullable BlockWindow window) {
        return new Leftover(account.limit(), remaining(window));
    }

    BlockBooks books() {
        return Objects.requireNonNull(blocks, "the account has no blocks");
    }

    /** A copy of this state. Charges that are added to the copy's blocks do not change this state. */
    AccountSnapshot copy() {
        return new AccountSnapshot(account, allotment, earlier, blocks == null ? null : blocks.copy());
    }

    /** The state after a charge of the asker. The books of blocks are changed in place. */
    AccountSnapshot after(Step step) {
        BlockWindow window = step.entry().window();
        if (window != null) {
            books().add(window, step.entry().charge());
        }
        return new AccountSnapshot(step.after(), step.entry().allotmentAfter(), null, blocks);
    }
}
