package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.ledger.CommittedDebit;
import dev.purser.privacy.BlockWindow;
import java.util.Objects;
import java.util.Optional;

/**
 * The blocks whose rows an engine may read. The debit alone names them, whatever the requests ask for, so a question
 * reads the window that it was charged for when it is resumed too.
 */
final class PaidBlocks {
    private PaidBlocks() {}

    /**
     * The blocks that a debit paid for; empty if the dataset's rows are not divided.
     *
     * @throws IllegalArgumentException if the debit has blocks and the dataset has none or other ones, or the reverse
     */
    static Optional<BlockWindow> of(CommittedDebit debit, Dataset dataset) {
        Optional<BlockWindow> paid =
                Objects.requireNonNull(debit, "rows are read for a committed debit only").blocks();
        int last = paid.map(BlockWindow::last).orElse(-1);
        int blocks = dataset.blocks().map(divided -> divided.count()).orElse(0);
        if (paid.isPresent() != dataset.blocks().isPresent() || last >= blocks && paid.isPresent()) {
            throw new IllegalArgumentException("not a debit of blocks of dataset " + dataset.id());
        }
        return paid;
    }
}
