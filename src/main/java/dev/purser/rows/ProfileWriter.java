package dev.purser.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** Turns the ascending values of one column into the records of a {@link ColumnProfile}. */
final class ProfileWriter {
    private static final int BUFFER_RECORDS = 1 << 13;

    private final FileChannel channel;
    private final ByteBuffer buffer =
            ByteBuffer.allocate(BUFFER_RECORDS * ColumnProfile.RECORD_BYTES).order(OwnFile.ORDER);
    private final CRC32C checksum = new CRC32C();
    private long position;
    private long records;

    private long value = Long.MIN_VALUE;
    private long count;
    private long sumLow;
    private long sumHigh;

    /** @param position where in the file the profile begins */
    ProfileWriter(FileChannel channel, long position) {
        this.channel = channel;
        this.position = position;
    }

    /** Takes {@code times} rows of the next value, which is not below the values before. */
    void add(long next, long times) throws IOException {
        if (next != value) {
            writeRecord();
            value = next;
        }
        count += times;
        // 128-bit arithmetic, which cannot overflow for any maxRows and bounds.
        long low = next * times;
        sumLow += low;
        sumHigh += Math.multiplyHigh(next, times) + (Long.compareUnsigned(sumLow, low) < 0 ? 1 : 0);
    }

    private void writeRecord() throws IOException {
        if (!buffer.hasRemaining()) {
            flush();
        }
        buffer.putLong(value).putLong(count).putLong(sumLow).putLong(sumHigh);
        records++;
    }

    private void flush() throws IOException {
        buffer.flip();
        checksum.update(buffer.duplicate());
        int bytes = buffer.remaining();
        OwnFile.write(channel, buffer, position);
        position += bytes;
        buffer.clear();
    }

    /** Writes the last record. Nothing can be added after it. */
    void finish() throws IOException {
        writeRecord();
        flush();
    }

    /** The position behind the profile, once it is finished. */
    long end() {
        return position;
    }

    long records() {
        return records;
    }

    /** CRC-32C of all records, once they are finished. */
    int checksum() {
        return (int) checksum.getValue();
    }
}
