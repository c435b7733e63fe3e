package dev.purser.dataset;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;

/**
 * The division of a dataset's rows into blocks.
 *
 * @param delayDays how many days after its last day a block of dates can be asked about, if the rows are in a table
 */
public record BlockDivision(Blocks blocks, int delayDays) {
    /** The same division of these blocks alone. */
    BlockDivision part(BlockWindow window) {
        return new BlockDivision(blocks.part(window), delayDays);
    }
}
