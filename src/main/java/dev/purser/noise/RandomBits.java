package dev.purser.noise;

/**
 * A source of independent, unbiased random bits: the only randomness of the service. Production has {@link SecureBits};
 * other sources exist under tests only.
 */
public interface RandomBits {
    /**
     * Fresh bits.
     *
     * @param count how many, 1 … 63
     * @return a uniform integer of {@code [0, 2^count)}
     */
    long next(int count);
}
