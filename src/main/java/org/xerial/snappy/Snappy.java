package org.xerial.snappy;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Decompresses Snappy, as {@code format_description.txt} of github.com/google/snappy defines it.
 *
 * <p>Hardwood calls a class of this name. snappy-java has such a class, but it calls native code. The native code takes
 * the length of its output from the input, and writes past the end of a shorter buffer. The class here is plain Java,
 * so that no input can make it leave its buffers.
 */
public final class Snappy {
    private static final int MAX_LENGTH_BITS = 32;

    private Snappy() {}

    /**
     * Fills {@code into} from its position on, and moves neither buffer's position.
     *
     * @return the number of bytes
     * @throws IOException if {@code from} is malformed, or {@code into} is too small
     */
    public static int uncompress(ByteBuffer from, ByteBuffer into) throws IOException {
        try {
            return uncompressNew(from.slice(), into.slice());
        } catch (BufferUnderflowException | IndexOutOfBoundsException failure) {
            throw new IOException("malformed Snappy data", failure);
        }
    }

    private static int uncompressNew(ByteBuffer from, ByteBuffer into) throws IOException {
        long length = length(from);
        if (length > into.remaining()) {
            throw new IOException("the Snappy data is longer than announced");
        }
        into.limit((int) length);
        while (from.hasRemaining()) {
            int tag = unsigned(from);
            switch (tag & 3) {
                case 0 -> literal(tag >>> 2, from, into);
                case 1 -> copy((tag >>> 5) << 8 | unsigned(from), (tag >>> 2 & 7) + 4, into);
                case 2 -> copy(littleEndian(from, 2), (tag >>> 2) + 1, into);
                default -> copy(littleEndian(from, 4), (tag >>> 2) + 1, into);
            }
        }
        if (into.hasRemaining()) {
            throw new IOException("the Snappy data is shorter than announced");
        }
        return (int) length;
    }

    private static long length(ByteBuffer from) throws IOException {
        long length = 0;
        for (int shift = 0; shift < MAX_LENGTH_BITS; shift += 7) {
            int next = unsigned(from);
            length |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return length;
            }
        }
        throw new IOException("malformed Snappy data");
    }

    /** @param size the length less one if it is below 60; otherwise, 59 more than how many bytes state that */
    private static void literal(int size, ByteBuffer from, ByteBuffer into) {
        int length = 1 + (size < 60 ? size : littleEndian(from, size - 59));
        into.put(into.position(), from, from.position(), length);
        into.position(into.position() + length);
        from.position(from.position() + length);
    }

    /**
     * Repeats what was written {@code distance} bytes ago. It may overlap with its copy: two bytes can become a
     * thousand.
     */
    private static void copy(int distance, int length, ByteBuffer into) {
        int position = into.position();
        if (distance <= 0) {
            throw new IndexOutOfBoundsException(distance);
        }
        if (distance >= length) {
            into.put(position, into, position - distance, length);
        } else {
            for (int i = 0; i < length; i++) {
                into.put(position + i, into.get(position + i - distance));
            }
        }
        into.position(position + length);
    }

    private static int littleEndian(ByteBuffer from, int bytes) {
        int value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= unsigned(from) << 8 * i;
        }
        return value;
    }

    private static int unsigned(ByteBuffer from) {
        return Byte.toUnsignedInt(from.get());
    }
}
