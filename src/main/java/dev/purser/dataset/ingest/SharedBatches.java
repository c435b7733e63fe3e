package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.BatchSlots;
import java.lang.foreign.MemorySegment;

/** The batches that a parser puts into memory that it shares with the service. */
public final class SharedBatches {
    private final BatchSlots slots;
    private long taken;

    /** @param slots that nobody else takes batches from */
    public SharedBatches(BatchSlots slots) {
        this.slots = slots;
    }

    /**
     * Copies the next batch: what the parser writes there from now on changes nothing.
     *
     * @throws ParserFailure if it is longer than its place
     */
    void next(int length, FrameBuffer into) throws ParserFailure {
        if (length < 0 || length > BatchSlots.SLOT_BYTES) {
            throw new ParserFailure();
        }
        MemorySegment batch = slots.slot(taken);
        into.fill(batch.asSlice(0, length));
        taken++;
        slots.take(taken);
    }
}
