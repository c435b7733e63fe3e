package dev.purser.noise;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Cryptographic random bits: the keystream of AES-256 in counter mode, with keys seeded from the operating system's
 * random source. Not thread-safe: one instance serves one question.
 *
 * <p>Each key makes one block. The first bytes of a block are the next key and are erased at once. Each other word is
 * erased when it is consumed. Noise already drawn therefore does not follow from the state of this object (fast key
 * erasure, Bernstein 2017). Erased means no longer reachable. Copies that the garbage collector leaves in the heap
 * cannot be erased. After {@value #BLOCKS_PER_SEED} blocks the key comes from the operating system again.
 */
public final class SecureBits implements RandomBits {
    static final int BLOCKS_PER_SEED = 1024;

    private static final SecureRandom SYSTEM = new SecureRandom();
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int KEY_BYTES = 32;
    private static final int BLOCK_BYTES = 8192;
    private static final byte[] ZEROS = new byte[BLOCK_BYTES];
    // Every key encrypts only one block, so each may count from zero.
    private static final IvParameterSpec COUNTER_FROM_ZERO = new IvParameterSpec(new byte[16]);

    private final Cipher cipher;
    private final byte[] buffer = new byte[BLOCK_BYTES];
    private int used = BLOCK_BYTES;
    private int blocksLeft;
    private long word;
    private int wordBits;

    public SecureBits() {
        try {
            cipher = Cipher.getInstance("AES/CTR/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES", e);
        }
    }

    @Override
    public long next(int count) {
        if (count < 1 || count > 63) {
            throw new IllegalArgumentException("1 to 63 bits can be drawn at once, not " + count);
        }
        if (count > wordBits) {
            // The rest of the old word is dropped. Its bits are independent of all other bits.
            if (used == BLOCK_BYTES) {
                refill();
            }
            word = (long) WORDS.get(buffer, used);
            WORDS.set(buffer, used, 0L);
            used += Long.BYTES;
            wordBits = Long.SIZE;
        }
        long bits = word & ((1L << count) - 1);
        word >>>= count;
        wordBits -= count;
        return bits;
    }

    private void refill() {
        try {
            if (blocksLeft == 0) {
                byte[] seed = new byte[KEY_BYTES];
                SYSTEM.nextBytes(seed);
                takeKeyFrom(seed);
                blocksLeft = BLOCKS_PER_SEED;
            }
            cipher.doFinal(ZEROS, 0, BLOCK_BYTES, buffer, 0);
            takeKeyFrom(buffer);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES failed", e);
        }
        blocksLeft--;
        used = KEY_BYTES;
    }

    /** Makes the first bytes of {@code bytes} the key, and erases them there. */
    private void takeKeyFrom(byte[] bytes) throws GeneralSecurityException {
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(bytes, 0, KEY_BYTES, "AES"), COUNTER_FROM_ZERO);
        Arrays.fill(bytes, 0, KEY_BYTES, (byte) 0);
    }
}
