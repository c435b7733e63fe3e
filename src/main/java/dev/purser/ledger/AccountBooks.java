package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;

/** Read access to accounts. A class that has only this cannot spend anything. */
public interface AccountBooks {
    /** The current state of the account. */
    Budget budget(String account);

    /**
     * The current books of some blocks of an account.
     *
     * @param principal whose allotment counts
     */
    BlockBooks blocks(String account, String principal, BlockWindow window);
}
