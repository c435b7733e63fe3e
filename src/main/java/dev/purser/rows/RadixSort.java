package dev.purser.rows;

import java.util.Arrays;

/**
 * Sorts numbers below a public bound, digit by digit from the least on. How long it takes follows from how many there are and from
 * the bound, not from the numbers.
 */
final class RadixSort {
    private static final int MAX_DIGIT_BITS = 12;

    private final int passes;
    private final int digitBits;
    private final int[] ends;
    private long[] spare = {};

    /** @param size one more than the largest number */
    RadixSort(long size) {
        int bits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(size - 1));
        passes = Math.ceilDiv(bits, MAX_DIGIT_BITS);
        digitBits = Math.ceilDiv(bits, passes);
        ends = new int[1 << digitBits];
    }

    /**
     * Sorts the first {@code count} of {@code numbers}, ascending.
     *
     * @return where they are then: {@code numbers} or an array of this object, until the next call
     */
    long[] sort(long[] numbers, int count) {
        if (spare.length < count) {
            spare = new long[numbers.length];
        }
        long[] from = numbers;
        long[] to = spare;
        for (int pass = 0; pass < passes; pass++) {
            distribute(from, to, count, pass * digitBits);
            long[] sorted = to;
            to = from;
            from = sorted;
        }
        return from;
    }

    private void distribute(long[] from, long[] to, int count, int shift) {
        int mask = ends.length - 1;
        Arrays.fill(ends, 0);
        for (int i = 0; i < count; i++) {
            ends[(int) (from[i] >>> shift) & mask]++;
        }
        int below = 0;
        for (int digit = 0; digit < ends.length; digit++) {
            int here = ends[digit];
            ends[digit] = below;
            below += here;
        }
        for (int i = 0; i < count; i++) {
            to[ends[(int) (from[i] >>> shift) & mask]++] = from[i];
        }
    }
}
