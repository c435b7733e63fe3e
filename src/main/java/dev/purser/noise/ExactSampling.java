package dev.purser.noise;

import java.math.BigInteger;

/**
 * Exact samplers on integers: no floating point and no rounding anywhere, so their distributions are the stated ones and
 * not approximations (Canonne, Kamath and Steinke 2020, section 5, algorithms 1 and 2).
 *
 * <p>Each has a {@code long} and a {@link BigInteger} form with the same distribution; the first hands over to the second
 * where a product could pass 62 bits.
 */
final class ExactSampling {
    /** Denominators up to this many bits use {@code long} arithmetic. */
    static final int LONG_BITS = 40;

    private static final long MAX_LONG_ROUND = 1L << 22;

    private ExactSampling() {}

    /** A uniform integer of {@code [0, bound)}, by rejection: never by a modulus, which would be biased. */
    static long uniformBelow(long bound, RandomBits bits) {
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

    /** As {@link #uniformBelow(long, RandomBits)}, for any positive bound. */
    static BigInteger uniformBelow(BigInteger bound, RandomBits bits) {
        int width = bound.subtract(BigInteger.ONE).bitLength();
        while (true) {
            BigInteger candidate = BigInteger.ZERO;
            for (int missing = width; missing > 0; missing -= 62) {
                int chunk = Math.min(missing, 62);
                candidate = candidate.shiftLeft(chunk).or(BigInteger.valueOf(bits.next(chunk)));
            }
            if (candidate.compareTo(bound) < 0) {
                return candidate;
            }
        }
    }

    /**
     * True with probability {@code exp(-n/d)}, for {@code 0 <= n <= d < 2^40}.
     *
     * <p>Round k continues with probability n/(dk), so k rounds are passed with probability (n/d)^k / k!; the parity of the
     * first failed round sums the alternating series of the exponential.
     */
    static boolean bernoulliExp(long n, long d, RandomBits bits) {
        long k = 1;
        while (uniformBelow(d * k, bits) < n) {
            k++;
            if (k == MAX_LONG_ROUND) {
                return bernoulliExp(BigInteger.valueOf(n), BigInteger.valueOf(d), k, bits);
            }
        }
        return k % 2 == 1;
    }

    /** As {@link #bernoulliExp(long, long, RandomBits)}, for any size. */
    static boolean bernoulliExp(BigInteger n, BigInteger d, RandomBits bits) {
        return bernoulliExp(n, d, 1, bits);
    }

    private static boolean bernoulliExp(BigInteger n, BigInteger d, long firstRound, RandomBits bits) {
        long k = firstRound;
        while (uniformBelow(d.multiply(BigInteger.valueOf(k)), bits).compareTo(n) < 0) {
            k++;
        }
        return k % 2 == 1;
    }

    /** The number of successes of probability 1/e before the first failure. */
    static long geometricOfE(RandomBits bits) {
        long successes = 0;
        while (bernoulliExp(1, 1, bits)) {
            successes++;
        }
        return successes;
    }
}
