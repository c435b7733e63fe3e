package dev.purser.synopsis;

/**
 * Numbers that follow from a public seed, for the order of invented rows: SplitMix64 (Steele, Lea, Flood 2014). They
 * are not noise and protect nothing: the seed reveals all of them.
 */
final class PublicSequence {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    PublicSequence(long seed) {
        state = seed;
    }

    private long next() {
        state += GAMMA;
        long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** A number from 0 to below the bound, evenly up to one part in 2⁶⁴ of the bound. */
    long below(long bound) {
        return Math.unsignedMultiplyHigh(next(), bound);
    }
}
