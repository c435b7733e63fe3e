package dev.purser.noise;

import java.security.SecureRandom;

/**
 * Cryptographic bits from the operating system, buffered. Consumed words are overwritten, so that noise already drawn
 * cannot be read back from the buffer. Not safe for use by several threads at once: one instance serves one question.
 */
public final class SecureBits implements RandomBits {
    private static final SecureRandom SYSTEM = new SecureRandom();
    private static final int BUFFER_BYTES = 1024;

    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int used = BUFFER_BYTES;
    private long word;
    private int wordBits;

    @Override
    public long next(int count) {
        if (count < 1 || count > 63) {
            throw new IllegalArgumentException("1 to 63 bits can be drawn at once, not " + count);
        }
        long bits = 0;
        int missing = count;
        while (missing > 0) {
            if (wordBits == 0) {
                refillWord();
            }
            int taken = Math.min(missing, wordBits);
            long low = taken == Long.SIZE ? word : word & ((1L << taken) - 1);
            bits = (bits << taken) | low;
            word = taken == Long.SIZE ? 0 : word >>> taken;
            wordBits -= taken;
            missing -= taken;
        }
        return bits;
    }

    private void refillWord() {
        if (used == BUFFER_BYTES) {
            SYSTEM.nextBytes(buffer);
            used = 0;
        }
        long next = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            next = (next << Byte.SIZE) | (buffer[used] & 0xFF);
            buffer[used++] = 0;
        }
        word = next;
        wordBits = Long.SIZE;
    }
}
