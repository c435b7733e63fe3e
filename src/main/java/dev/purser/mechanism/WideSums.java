package dev.purser.mechanism;

import java.math.BigInteger;

/** Signed integers of 128 bits, each as two halves. Nothing wraps at 64 bits, and no number causes an exception. */
final class WideSums {
    private final long[] high;
    private final long[] low;

    /** {@code size} zeros. */
    WideSums(int size) {
        this(new long[size], new long[size]);
    }

    /**
     * Takes both arrays over.
     *
     * @param high the high 64 bits of each, with the sign
     * @param low the low 64 bits of each
     */
    WideSums(long[] high, long[] low) {
        this.high = high;
        this.low = low;
    }

    /** Adds the integer of these halves to the integer at {@code position}. */
    void add(int position, long moreHigh, long moreLow) {
        long sum = low[position] + moreLow;
        // This has no branch, because a scan adds numbers that depend on rows. There is a carry if both numbers have
        // the sign bit, or if one has it and the sum does not.
        long carry = (low[position] & moreLow | (low[position] | moreLow) & ~sum) >>> (Long.SIZE - 1);
        low[position] = sum;
        high[position] += moreHigh + carry;
    }

    /** Adds the integer at {@code from} to the integer at {@code to}. */
    void addWithin(int from, int to) {
        add(to, high[from], low[from]);
    }

    /** The exact integer at {@code position}. */
    BigInteger at(int position) {
        if (high[position] == low[position] >> 63) {
            return BigInteger.valueOf(low[position]);
        }
        BigInteger unsignedLow =
                BigInteger.valueOf(low[position] >>> 1).shiftLeft(1).add(BigInteger.valueOf(low[position] & 1));
        return BigInteger.valueOf(high[position]).shiftLeft(Long.SIZE).add(unsignedLow);
    }
}
