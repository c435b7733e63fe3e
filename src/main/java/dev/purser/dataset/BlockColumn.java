package dev.purser.dataset;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.stream.IntStream;

/**
 * The column whose stored integer decides in which block a row is. {@link Blocks} counts in the column's values. This
 * class converts them to stored integers, for all code that reads rows.
 *
 * @param column a column of integers or of dates; the width of a block is a whole number of the column's grid steps
 */
public record BlockColumn(Column.Numeric column, Blocks blocks) {
    /**
     * The least stored integer of a block. For {@link Blocks#count} it is the integer at which one more block would
     * begin.
     */
    public long start(int block) {
        return column.grid()
                .toSteps(BigDecimal.valueOf(blocks.start(block)))
                .map(BigInteger::longValueExact)
                .orElseThrow();
    }

    /** The starts of the blocks of a window, and of the block after it. */
    public long[] edges(BlockWindow window) {
        return IntStream.rangeClosed(window.first(), window.last() + 1)
                .mapToLong(this::start)
                .toArray();
    }
}
