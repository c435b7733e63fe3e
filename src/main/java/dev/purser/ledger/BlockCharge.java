package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import org.jspecify.annotations.Nullable;

/**
 * Where the charge of an entry went: in full to every block of a window.
 *
 * @param spentAfter the most that is spent of a block of the window after the charge
 * @param allottedAfter as {@code spentAfter}, of the asker's allotment; null if there is none
 */
public record BlockCharge(
        BlockWindow blocks,
        PrivacyAmount spentAfter,
        @Nullable PrivacyAmount allottedAfter) {}
