package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.BatchSlots;

/** The batches that a parser puts into memory that it shares with the service. */
final class SharedBatches {
    private final BatchSlots slots;
    private final BoundedFrames frames;
    private long taken;

    /**
     * @param slots that nobody else takes batches from
     * @param frames that say where batches are; both together are bounded
     */
    SharedBatches(BatchSlots slots, BoundedFrames frames) {
        this.slots = slots;
        this.frames = frames;
    }

    /**
     * Copies the next batch: what the parser writes there from now on changes nothing.
     *
     * @throws ParserFailure if it is longer than its place, or the parser hands over too much
     */
    void next(int length, FrameBuffer into) throws ParserFailure {
        if (length < 0 || length > BatchSlots.SLOT_BYTES) {
            throw new ParserFailure();
        }
        frames.count(length);
        into.fill(slots.slot(taken).asSlice(0, length));
        taken++;
        slots.take(taken);
    }
}
