package dev.purser.digest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash-2-4 with a result of 128 bits (Aumasson, Bernstein: SipHash, INDOCRYPT 2012; the longer result is as in the
 * authors' reference code). Not thread-safe.
 */
public final class SipHash128 {
    public static final int KEY_BYTES = 16;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int OF_COMPRESSION = 2;
    private static final int OF_FINALIZATION = 4;

    private final long key0;
    private final long key1;
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    /** The bytes after the last whole word, and how many bytes there were in all. */
    private long word;

    private int length;

    /** @param key {@link #KEY_BYTES} bytes */
    public SipHash128(byte[] key) {
        key0 = (long) WORDS.get(key, 0);
        key1 = (long) WORDS.get(key, Long.BYTES);
        begin();
    }

    private void begin() {
        v0 = key0 ^ 0x736f6d6570736575L;
        v1 = key1 ^ 0x646f72616e646f6dL ^ 0xee;
        v2 = key0 ^ 0x6c7967656e657261L;
        v3 = key1 ^ 0x7465646279746573L;
        word = 0;
        length = 0;
    }

    /** Takes more of the message. */
    public void update(byte[] bytes, int from, int count) {
        int next = from;
        int end = from + count;
        while (next < end && length % Long.BYTES != 0) {
            add(bytes[next++]);
        }
        for (; next + Long.BYTES <= end; next += Long.BYTES) {
            compress((long) WORDS.get(bytes, next));
            length += Long.BYTES;
        }
        while (next < end) {
            add(bytes[next++]);
        }
    }

    private void add(byte next) {
        word |= (next & 0xffL) << (length % Long.BYTES * Byte.SIZE);
        length++;
        if (length % Long.BYTES == 0) {
            compress(word);
            word = 0;
        }
    }

    /** Writes the 16 bytes of the result, and begins the next message. */
    public void end(byte[] result) {
        compress((long) length << 56 | word);
        v2 ^= 0xee;
        rounds(OF_FINALIZATION);
        WORDS.set(result, 0, v0 ^ v1 ^ v2 ^ v3);
        v1 ^= 0xdd;
        rounds(OF_FINALIZATION);
        WORDS.set(result, Long.BYTES, v0 ^ v1 ^ v2 ^ v3);
        begin();
    }

    private void compress(long message) {
        v3 ^= message;
        rounds(OF_COMPRESSION);
        v0 ^= message;
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
