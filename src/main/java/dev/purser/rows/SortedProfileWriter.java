package dev.purser.rows;

import java.io.IOException;

/** Turns ascending values into the records of a {@link SortedProfile}: one of nothing, then one for each distinct value. */
final class SortedProfileWriter {
    private final SectionWriter into;
    private long value = Long.MIN_VALUE;
    private long count;
    private long sumLow;
    private long sumHigh;

    SortedProfileWriter(SectionWriter into) {
        this.into = into;
    }

    void add(long next) throws IOException {
        if (next != value) {
            writeRecord();
            value = next;
        }
        count++;
        // 128-bit addition: nothing wraps, whatever maxRows and the bounds.
        sumLow += next;
        sumHigh += (next >> 63) + (Long.compareUnsigned(sumLow, next) < 0 ? 1 : 0);
    }

    private void writeRecord() throws IOException {
        into.put(value, count, sumLow, sumHigh);
    }

    void finish() throws IOException {
        writeRecord();
    }
}
