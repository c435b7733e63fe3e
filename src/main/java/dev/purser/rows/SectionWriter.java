package dev.purser.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** Writes sections of a {@link RowsFile} one after another, each from its beginning to its end. */
final class SectionWriter {
    private static final int BUFFER_BYTES = 1 << 18;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(RowsFileHeader.ORDER);
    private final CRC32C checksum = new CRC32C();
    private long at;

    /** @param at where in the file the first section begins */
    SectionWriter(FileChannel channel, long at) {
        this.channel = channel;
        this.at = at;
    }

    /** Appends a record of a {@link SortedProfile}. */
    void put(long value, long count, long sumLow, long sumHigh) throws IOException {
        if (buffer.remaining() < SortedProfile.RECORD_BYTES) {
            flush();
        }
        buffer.putLong(value).putLong(count).putLong(sumLow).putLong(sumHigh);
    }

    /** Appends the first of some numbers. */
    void put(int[] numbers, int count) throws IOException {
        for (int from = 0; from < count; ) {
            if (buffer.remaining() < Integer.BYTES) {
                flush();
            }
            int here = Math.min(count - from, buffer.remaining() / Integer.BYTES);
            buffer.asIntBuffer().put(numbers, from, here);
            buffer.position(buffer.position() + here * Integer.BYTES);
            from += here;
        }
    }

    /**
     * Writes what is left of a section; the next one begins behind it.
     *
     * @return the section's CRC-32C
     */
    int finish() throws IOException {
        flush();
        int finished = (int) checksum.getValue();
        checksum.reset();
        return finished;
    }

    /** Where in the file the next section begins, after one is finished. */
    long at() {
        return at;
    }

    private void flush() throws IOException {
        buffer.flip();
        checksum.update(buffer.duplicate());
        int bytes = buffer.remaining();
        ChunkFile.writeFully(channel, buffer, at);
        at += bytes;
        buffer.clear();
    }
}
