package dev.purser.engine;

import dev.purser.dataset.BlockColumn;
import dev.purser.dataset.Column;
import dev.purser.privacy.BlockWindow;

/**
 * The blocks of a table that a debit paid for, on the grid of their column. Every row of a table has such a stored
 * integer: a value outside of the column's bounds is clamped, and a missing value is substituted. So each row is in
 * exactly one block.
 *
 * @param edges the starts of the blocks, and the start of the block after them
 */
record TableBlocks(Column.Numeric column, long[] edges) {
    static TableBlocks of(BlockColumn column, BlockWindow paid) {
        return new TableBlocks(column.column(), column.edges(paid));
    }

    /** The condition that rows of these blocks meet, and no other rows. */
    Filter.Between window() {
        return new Filter.Between(column, edges[0], edges[edges.length - 1]);
    }
}
