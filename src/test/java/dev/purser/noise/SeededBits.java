package dev.purser.noise;

import java.util.SplittableRandom;

/** Repeatable bits for tests: the same seed gives the same draws. Production has {@link SecureBits} only. */
public final class SeededBits implements RandomBits {
    private final SplittableRandom random;

    public SeededBits(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public long next(int count) {
        return random.nextLong() >>> (Long.SIZE - count);
    }
}
