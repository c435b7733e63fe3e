package dev.purser.rows;

/**
 * Counts and exact sums of the rows below some edges, in the order of the edges, and at the end the count and sum of
 * all rows. They are private.
 */
public final class Prefixes {
    private final long[] counts;
    private final long[] sumsHigh;
    private final long[] sumsLow;

    /** The prefixes of no rows. */
    public Prefixes(int edges) {
        counts = new long[edges + 1];
        sumsHigh = new long[edges + 1];
        sumsLow = new long[edges + 1];
    }

    /** Adds rows below the edge at {@code position}, or to all rows. {@code sumHigh} has the sign of their sum. */
    public void add(int position, long count, long sumHigh, long sumLow) {
        long low = sumsLow[position] + sumLow;
        // No branch depends on the values. There is a carry if both have the sign bit, or if one has it and the sum
        // does not.
        long carry = (sumsLow[position] & sumLow | (sumsLow[position] | sumLow) & ~low) >>> (Long.SIZE - 1);
        counts[position] += count;
        sumsLow[position] = low;
        sumsHigh[position] += sumHigh + carry;
    }

    /** Adds other rows, with the same edges. */
    public void add(Prefixes more) {
        for (int position = 0; position < counts.length; position++) {
            add(position, more.counts[position], more.sumsHigh[position], more.sumsLow[position]);
        }
    }

    /** How many rows there are. */
    public long[] counts() {
        return counts.clone();
    }

    /** The high 64 bits of the sums of the rows' stored integers, with the sign. */
    public long[] sumsHigh() {
        return sumsHigh.clone();
    }

    /** The low 64 bits of the sums. */
    public long[] sumsLow() {
        return sumsLow.clone();
    }
}
