package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.ledger.CommittedDebit;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import java.util.Objects;
import java.util.Optional;

/**
 * The blocks whose rows an engine may read. The debit alone names them, whatever the requests ask for. So a question
 * that is resumed also reads the window that it was charged for.
 */
final class PaidBlocks {
    private PaidBlocks() {}

    /**
     * The blocks that a debit paid for; empty if the dataset's rows are not divided.
     *
     * @throws IllegalArgumentException if the debit has blocks and the dataset has none or other blocks, or the reverse
     */
    static Optional<BlockWindow> of(CommittedDebit debit, Dataset dataset) {
        Optional<BlockWindow> paid = Objects.requireNonNull(debit, "rows are read for a committed debit only")
                .blocks();
        int asked = paid.map(BlockWindow::last).orElse(-1);
        int last = dataset.blocks().map(Blocks::all).map(BlockWindow::last).orElse(-1);
        if (paid.isPresent() != dataset.blocks().isPresent() || asked > last) {
            throw new IllegalArgumentException("not a debit of blocks of dataset " + dataset.id());
        }
        return paid;
    }
}
