package dev.purser.rows;

/**
 * Counts and exact sums of the rows below some edges, in their order, and at the end those of all rows. They are
 * private.
 */
public final class Prefixes {
    private final long[] counts;
    private final long[] sumsHigh;
    private final long[] sumsLow;

    Prefixes(int edges) {
        counts = new long[edges + 1];
        sumsHigh = new long[edges + 1];
        sumsLow = new long[edges + 1];
    }

    void set(int position, long count, long sumHigh, long sumLow) {
        counts[position] = count;
        sumsHigh[position] = sumHigh;
        sumsLow[position] = sumLow;
    }

    /** How many rows there are. */
    public long[] counts() {
        return counts.clone();
    }

    /** The high 64 bits of the sums of their stored integers, with the sign. */
    public long[] sumsHigh() {
        return sumsHigh.clone();
    }

    /** The low 64 bits of them. */
    public long[] sumsLow() {
        return sumsLow.clone();
    }
}
