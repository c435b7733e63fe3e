package dev.purser.rows;

import java.io.IOException;

/** Turns ascending values into the records of a profile: one of nothing, then one for each distinct value. */
final class ProfileWriter {
    private final SectionWriter into;
    private long value = Long.MIN_VALUE;
    private long count;
    private long sumLow;
    private long sumHigh;
    private long records;

    ProfileWriter(SectionWriter into) {
        this.into = into;
    }

    void add(long next) throws IOException {
        if (next != value) {
            writeRecord();
            value = next;
        }
        count++;
        addToSum(next, next >> 63);
    }

    /** A value that comes so many times. */
    void add(long next, long times) throws IOException {
        if (times > 0) {
            writeRecord();
            value = next;
            count += times;
            addToSum(next * times, Math.multiplyHigh(next, times));
        }
    }

    /** 128-bit addition: nothing wraps, whatever maxRows and the bounds. */
    private void addToSum(long low, long high) {
        sumLow += low;
        sumHigh += high + (Long.compareUnsigned(sumLow, low) < 0 ? 1 : 0);
    }

    private void writeRecord() throws IOException {
        into.put(value, count, sumLow, sumHigh);
        records++;
    }

    /** @return how many records there are */
    long finish() throws IOException {
        writeRecord();
        return records;
    }
}
