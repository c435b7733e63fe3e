package dev.purser.upload;

import dev.purser.dataset.BlockColumn;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.privacy.Blocks;
import java.util.Optional;

/**
 * Requires that all rows of a file are of one block. The stored value of a row decides its block. A value outside the
 * bounds of the column is in no block. It is not clamped, because the first and last block would then collect rows with
 * wrong dates.
 */
final class BlockRule {
    private final int column;
    private final long start;
    private final long next;
    private final String otherBlock;
    private final String noBlock;

    BlockRule(Dataset dataset, int block) {
        Blocks blocks = dataset.blocks().orElseThrow();
        column = dataset.columns().stream().map(Column::name).toList().indexOf(blocks.column());
        BlockColumn ofBlocks = dataset.blockColumn().orElseThrow();
        start = ofBlocks.start(block);
        next = ofBlocks.start(block + 1);
        String label = blocks.label(block);
        otherBlock = "the row is not of the block \"" + label + "\": send it with the block of its own value";
        noBlock = "the value is outside the column's bounds, so the row is of no block: correct it, or leave the row"
                + " out of \"" + label + "\"";
    }

    /** The position of the column that decides the block. */
    int column() {
        return column;
    }

    /**
     * The rule that a row breaks.
     *
     * @param value the row's stored value in the column
     * @param clamped whether {@code value} is a bound because the row has a value outside the bounds
     */
    Optional<String> broken(long value, boolean clamped) {
        if (clamped) {
            return Optional.of(noBlock);
        }
        return value >= start && value < next ? Optional.empty() : Optional.of(otherBlock);
    }
}
