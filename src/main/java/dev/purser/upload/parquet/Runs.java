package dev.purser.upload.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads integers one after another from the hybrid of repeated runs and packed bits that Parquet uses for levels, for
 * positions in a dictionary and for booleans.
 */
final class Runs {
    private static final int PACKED_TOGETHER = 8;

    private final ByteBuffer bytes;
    private final int width;
    private long leftInRun;
    private boolean isRepeated;
    private long repeated;
    private long bits;
    private int bitsLeft;

    /**
     * @param bytes the encoded integers, read from the buffer's position to its limit
     * @param width the width of an integer, in bits
     */
    Runs(ByteBuffer bytes, int width) throws IOException {
        if (width < 0 || width > Integer.SIZE) {
            throw new IOException("no width of an integer");
        }
        this.bytes = bytes;
        this.width = width;
    }

    int next() throws IOException {
        if (width == 0) {
            return 0;
        }
        while (leftInRun == 0) {
            beginRun();
        }
        leftInRun--;
        return (int) (isRepeated ? repeated : unpacked());
    }

    private void beginRun() throws IOException {
        long header = header();
        isRepeated = (header & 1) == 0;
        leftInRun = header >>> 1;
        if (isRepeated) {
            repeated = 0;
            for (int shift = 0; shift < width; shift += Byte.SIZE) {
                repeated |= (long) nextByte() << shift;
            }
        } else {
            leftInRun *= PACKED_TOGETHER;
            bitsLeft = 0;
            bits = 0;
        }
    }

    private long header() throws IOException {
        long header = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += 7) {
            int next = nextByte();
            header |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return header;
            }
        }
        throw new IOException("a run does not begin");
    }

    private long unpacked() throws IOException {
        while (bitsLeft < width) {
            bits |= (long) nextByte() << bitsLeft;
            bitsLeft += Byte.SIZE;
        }
        long value = bits & (1L << width) - 1;
        bits >>>= width;
        bitsLeft -= width;
        return value;
    }

    private int nextByte() throws IOException {
        if (!bytes.hasRemaining()) {
            throw new IOException("a page does not have as many values as it states");
        }
        return bytes.get() & 0xFF;
    }
}
