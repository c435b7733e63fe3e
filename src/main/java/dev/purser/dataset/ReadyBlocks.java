package dev.purser.dataset;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The blocks of a dataset that can be asked about. They decide which questions are refused, and never an amount.
 *
 * @param runs runs of neighbouring ready blocks, ascending; between two runs is at least one other block
 */
public record ReadyBlocks(List<BlockWindow> runs) {
    /** The ready blocks of a dataset without blocks. */
    public static final ReadyBlocks NONE = new ReadyBlocks(List.of());

    public ReadyBlocks {
        runs = List.copyOf(runs);
    }

    /**
     * The ready blocks of a table. A block of dates is ready if its last day was long enough ago. A block of integers
     * is always ready.
     */
    static ReadyBlocks ofTable(Registration registration, LocalDate today) {
        BlockDivision division = registration.blocks().orElseThrow();
        Blocks blocks = division.blocks();
        if (blocks.width() instanceof Blocks.Integers) {
            return new ReadyBlocks(List.of(blocks.all()));
        }
        // The block of this day is not over. All blocks before it are over.
        int over = Math.clamp(blocks.of(today.toEpochDay() - division.delayDays()), 0, blocks.count());
        return over == 0 ? NONE : new ReadyBlocks(List.of(new BlockWindow(0, over - 1)));
    }

    /** A window of {@code count} blocks that ends with the newest ready block; empty if fewer blocks end with it. */
    public Optional<BlockWindow> latest(int count) {
        return runs.isEmpty()
                ? Optional.empty()
                : Optional.of(runs.getLast().last())
                        .filter(last -> last >= count - 1)
                        .map(last -> new BlockWindow(last - count + 1, last));
    }

    /** The runs of blocks of a window that are not ready. */
    public List<BlockWindow> notReady(BlockWindow window) {
        List<BlockWindow> missing = new ArrayList<>();
        int next = window.first();
        for (BlockWindow run : runs) {
            if (run.last() < next || run.first() > window.last()) {
                continue;
            }
            if (run.first() > next) {
                missing.add(new BlockWindow(next, run.first() - 1));
            }
            next = run.last() + 1;
        }
        if (next <= window.last()) {
            missing.add(new BlockWindow(next, window.last()));
        }
        return missing;
    }
}
