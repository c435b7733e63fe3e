package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.FieldFrames;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** What came from a parser and was not looked at yet. Memory is bounded by what is asked for at once. */
final class FrameBuffer {
    private static final int FIRST_BYTES = 1 << 18;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long LOW_BITS = 0x0101_0101_0101_0101L;
    private static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, FieldFrames.ORDER);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, FieldFrames.ORDER);

    private final InputStream frames;

    /** What is there stands in {@code bytes[position, limit)}. */
    byte[] bytes = new byte[FIRST_BYTES];

    int position;
    int limit;

    FrameBuffer(InputStream frames) {
        this.frames = frames;
    }

    /** What is filled from memory only. */
    static FrameBuffer ofMemory() {
        return new FrameBuffer(InputStream.nullInputStream());
    }

    /** Puts bytes in the place of all that is there. */
    void fill(MemorySegment from) {
        int length = (int) from.byteSize();
        if (bytes.length < length) {
            bytes = new byte[length];
        }
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, 0, bytes, 0, length);
        position = 0;
        limit = length;
    }

    /**
     * Makes the next {@code count} bytes available at {@link #position}. May move those before.
     *
     * @throws ParserFailure if the parser died before it wrote them
     */
    void require(int count) throws ParserFailure {
        if (limit - position >= count) {
            return;
        }
        System.arraycopy(bytes, position, bytes, 0, limit - position);
        limit -= position;
        position = 0;
        if (bytes.length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(count, 2 * bytes.length));
        }
        while (limit < count) {
            limit += receive(limit, bytes.length - limit);
        }
    }

    private int receive(int at, int most) throws ParserFailure {
        try {
            int read = frames.read(bytes, at, most);
            if (read < 0) {
                throw new ParserFailure();
            }
            return read;
        } catch (IOException stopped) {
            throw new ParserFailure();
        }
    }

    int readByte() throws ParserFailure {
        require(1);
        return bytes[position++] & 0xFF;
    }

    /** A big endian number of so many bytes. */
    long readNumber(int size) throws ParserFailure {
        require(size);
        long number = 0;
        for (int i = 0; i < size; i++) {
            number = number << 8 | bytes[position++] & 0xFF;
        }
        return number;
    }

    /** Reads so many words in the order of the processor. */
    void readWords(long[] into, int count) throws ParserFailure {
        require(count * Long.BYTES);
        ByteBuffer.wrap(bytes, position, count * Long.BYTES)
                .order(FieldFrames.ORDER)
                .asLongBuffer()
                .get(into, 0, count);
        position += count * Long.BYTES;
    }

    /** Reads so many integers of so many bytes, 1, 2, 4 or 8, in the order of the processor. */
    void readIntegers(long[] into, int count, int bytesOfOne) throws ParserFailure {
        if (bytesOfOne == Long.BYTES) {
            readWords(into, count);
            return;
        }
        require(count * bytesOfOne);
        switch (bytesOfOne) {
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into[i] = bytes[position + i];
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into[i] = (short) SHORTS.get(bytes, position + i * Short.BYTES);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    into[i] = intAt(i * Integer.BYTES);
                }
            }
        }
        position += count * bytesOfOne;
    }

    /** Whether one of so many bytes is 0. */
    boolean hasNul(int from, int count) {
        int at = from;
        int end = from + count;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            if (hasZero((long) LONGS.get(bytes, at))) {
                return true;
            }
        }
        if (from + Long.BYTES <= bytes.length && count < Long.BYTES) {
            // The bytes behind are set to what is not zero.
            return count > 0 && hasZero((long) LONGS.get(bytes, from) | -1L << count * Byte.SIZE);
        }
        for (; at < end; at++) {
            if (bytes[at] == 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasZero(long word) {
        return (word - LOW_BITS & ~word & HIGH_BITS) != 0;
    }

    /** Eight bytes from a place in {@link #bytes} on. */
    long wordAt(int place) {
        return (long) LONGS.get(bytes, place);
    }

    /** A number in the order of the processor, so many bytes from the position on. */
    int intAt(int offset) {
        return (int) INTS.get(bytes, position + offset);
    }
}
