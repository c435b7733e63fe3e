package dev.purser.rows;

import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The values of one column: a lane in each chunk of the {@link ValuesLayout}.
 *
 * @param rows of the file
 * @param first where the lane of the first chunk begins, if that is full
 * @param distance between the beginnings of two full chunks
 * @param last where the lane of the last chunk begins, which is not full, and may be empty
 */
record Lanes(ValuesLayout layout, int column, long rows, long first, long distance, long last) {
    int width() {
        return layout.width(column);
    }

    /** Where the value of a row is. */
    long at(long row) {
        return laneAt(row / layout.rowsOfChunk()) + row % layout.rowsOfChunk() * width();
    }

    /** How many values lie one after another from a row on, the end of the file aside. */
    int together(long row) {
        return layout.rowsOfChunk() - (int) (row % layout.rowsOfChunk());
    }

    /** All of them, in the order of the rows. */
    Stream<MemorySegment> in(MemorySegment file) {
        return LongStream.rangeClosed(0, rows / layout.rowsOfChunk()).mapToObj(chunk -> {
            long here = Math.min(layout.rowsOfChunk(), rows - chunk * layout.rowsOfChunk());
            return file.asSlice(laneAt(chunk), layout.laneBytes(column, here));
        });
    }

    private long laneAt(long chunk) {
        return chunk < rows / layout.rowsOfChunk() ? first + chunk * distance : last;
    }
}
