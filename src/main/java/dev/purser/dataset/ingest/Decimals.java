package dev.purser.dataset.ingest;

import java.util.stream.LongStream;

/** Powers of ten. */
final class Decimals {
    /** Those that fit into 64 bits, but for the last. */
    static final long[] POWERS =
            LongStream.iterate(1, power -> 10 * power).limit(19).toArray();

    /** Those that are doubles. */
    static final double[] DOUBLE_POWERS = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    /** Decimals of so many digits are as many different doubles. */
    static final int EXACT_DIGITS = 15;

    static final long EXACT = POWERS[EXACT_DIGITS];

    private Decimals() {}

    /** How many digits a number has that is not negative; one if it is zero. */
    static int digits(long number) {
        // 1233 / 4096 is a little more than the logarithm of 2: the digits of the largest number of so many bits, or
        // one too many.
        int digits = (Long.SIZE - Long.numberOfLeadingZeros(number | 1)) * 1233 >>> 12;
        return digits == 0 || number >= POWERS[digits] ? digits + 1 : digits;
    }
}
