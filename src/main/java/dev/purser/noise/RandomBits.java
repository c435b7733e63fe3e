package dev.purser.noise;

/**
 * A source of independent, unbiased random bits: the only randomness of noise and reports. The service draws from
 * {@link SecureBits}, and {@link RecordedBits} passes on such bits. Other sources exist only under tests.
 */
public interface RandomBits {
    /**
     * Draws fresh bits.
     *
     * @param count the number of bits, 1 … 63
     * @return a uniform integer of {@code [0, 2^count)}
     */
    long next(int count);
}
