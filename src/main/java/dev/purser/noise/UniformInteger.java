package dev.purser.noise;

/** Uniform integers below a bound, exactly: by rejection, never by a modulus, which would be biased. */
public final class UniformInteger {
    private UniformInteger() {}

    /**
     * Draws a uniform integer of {@code [0, bound)}.
     *
     * @param bound 1 … 2^62
     */
    public static long below(long bound, RandomBits bits) {
        if (bound == 1) {
            return 0;
        }
        int width = Long.SIZE - Long.numberOfLeadingZeros(bound - 1);
        while (true) {
            long candidate = bits.next(width);
            if (candidate < bound) {
                return candidate;
            }
        }
    }
}
