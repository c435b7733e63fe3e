package dev.purser.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** Writes one section of a {@link RowsFile} from its beginning to its end, while others are written elsewhere in the file. */
final class SectionWriter {
    private static final int BUFFER_BYTES = 1 << 14;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(RowsFileHeader.ORDER);
    private final CRC32C checksum = new CRC32C();
    private long at;

    /** @param at where in the file the section begins */
    SectionWriter(FileChannel channel, long at) {
        this.channel = channel;
        this.at = at;
    }

    /** Appends the low {@code bytes} bytes of a number. */
    void put(long number, int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            flush();
        }
        switch (bytes) {
            case Byte.BYTES -> buffer.put((byte) number);
            case Short.BYTES -> buffer.putShort((short) number);
            case Integer.BYTES -> buffer.putInt((int) number);
            default -> buffer.putLong(number);
        }
    }

    /**
     * Fills up with zeros to the next multiple of 8 and writes what is left.
     *
     * @return the section's CRC-32C
     */
    int finish() throws IOException {
        while (buffer.position() % Long.BYTES != 0) {
            buffer.put((byte) 0);
        }
        flush();
        return (int) checksum.getValue();
    }

    private void flush() throws IOException {
        buffer.flip();
        checksum.update(buffer.duplicate());
        while (buffer.hasRemaining()) {
            at += channel.write(buffer, at);
        }
        buffer.clear();
    }
}
