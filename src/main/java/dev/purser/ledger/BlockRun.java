package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;

/**
 * Neighbouring blocks with equal books.
 *
 * @param spent the amount that all principals together spent of each of these blocks
 * @param remaining the amount left of each of these blocks: the account's remainder, or the remainder of the asker's
 *     allotment if less
 */
public record BlockRun(BlockWindow blocks, PrivacyAmount spent, PrivacyAmount remaining) {
    boolean isFollowedBy(BlockRun next) {
        return blocks.last() + 1 == next.blocks.first() && spent.equals(next.spent) && remaining.equals(next.remaining);
    }
}
