package dev.purser.mechanism;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Bucket statistics: for sorted public edges {@code e_0 < … < e_(k-1)}, the exact number and the exact sum of the grid
 * integers below each edge, and of all. Every central question is a difference of such prefixes, so one pass over the rows
 * serves any number of them.
 *
 * <p>Sums are exact at any size. What is inside can be read by this package only.
 */
public final class Buckets {
    private final long[] edges;
    private final long[] countsBelow;
    private final BigInteger[] sumsBelow;

    private Buckets(long[] edges, long[] countsBelow, BigInteger[] sumsBelow) {
        this.edges = edges;
        this.countsBelow = countsBelow;
        this.sumsBelow = sumsBelow;
    }

    /** Collects rows into buckets; the order of the calls does not matter. */
    public static Builder over(long[] sortedEdges) {
        return new Builder(sortedEdges);
    }

    /**
     * Takes prefixes that are known already: the count and the sum below each edge, and of all rows last.
     *
     * @param sumsHigh the high 64 bits of each sum, with the sign
     * @param sumsLow the low 64 bits of each sum
     */
    public static Buckets ofPrefixes(long[] sortedEdges, long[] countsBelow, long[] sumsHigh, long[] sumsLow) {
        long[] edges = checked(sortedEdges);
        BigInteger[] sumsBelow = new BigInteger[edges.length + 1];
        for (int i = 0; i < sumsBelow.length; i++) {
            sumsBelow[i] = exact(sumsHigh[i], sumsLow[i]);
        }
        return new Buckets(edges, Arrays.copyOf(countsBelow, sumsBelow.length), sumsBelow);
    }

    private static long[] checked(long[] sortedEdges) {
        long[] edges = sortedEdges.clone();
        for (int i = 1; i < edges.length; i++) {
            if (edges[i - 1] >= edges[i]) {
                throw new IllegalArgumentException("edges must be strictly ascending");
            }
        }
        return edges;
    }

    private static BigInteger exact(long high, long low) {
        if (high == low >> 63) {
            return BigInteger.valueOf(low);
        }
        BigInteger unsignedLow = BigInteger.valueOf(low >>> 1).shiftLeft(1).add(BigInteger.valueOf(low & 1));
        return BigInteger.valueOf(high).shiftLeft(64).add(unsignedLow);
    }

    long totalCount() {
        return countsBelow[edges.length];
    }

    BigInteger totalSum() {
        return sumsBelow[edges.length];
    }

    /** The number of values below {@code edge}, which is one of the edges. */
    long countBelow(long edge) {
        return countsBelow[indexOf(edge)];
    }

    /** The sum of the values below {@code edge}, which is one of the edges. */
    BigInteger sumBelow(long edge) {
        return sumsBelow[indexOf(edge)];
    }

    private int indexOf(long edge) {
        int index = Arrays.binarySearch(edges, edge);
        if (index < 0) {
            // A planning error, and public: edges come from the request alone.
            throw new IllegalArgumentException("no bucket edge at " + edge);
        }
        return index;
    }

    @Override
    public String toString() {
        return "Buckets[" + edges.length + " edges, redacted]";
    }

    /** Adds values to {@link Buckets}. Memory is two words per edge, whatever the number of rows. */
    public static final class Builder {
        private final long[] edges;
        private final long[] counts;
        private final long[] sumHigh;
        private final long[] sumLow;

        private Builder(long[] sortedEdges) {
            edges = checked(sortedEdges);
            counts = new long[edges.length + 1];
            sumHigh = new long[edges.length + 1];
            sumLow = new long[edges.length + 1];
        }

        /** Adds {@code count} rows that all have the grid integer {@code value}. */
        public void add(long value, long count) {
            int found = Arrays.binarySearch(edges, value);
            int bucket = found >= 0 ? found + 1 : -found - 1;
            addTo(bucket, count, Math.multiplyHigh(value, count), value * count);
        }

        /**
         * Adds rows to one bucket.
         *
         * @param bucket how many edges are at or below their values
         * @param sum of their values
         */
        public void addTo(int bucket, long count, long sum) {
            addTo(bucket, count, sum >> 63, sum);
        }

        private void addTo(int bucket, long count, long high, long low) {
            counts[bucket] = Math.addExact(counts[bucket], count);
            // 128-bit addition: nothing wraps and nothing can throw on what the rows hold.
            long sum = sumLow[bucket] + low;
            long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
            sumLow[bucket] = sum;
            sumHigh[bucket] += high + carry;
        }

        public Buckets build() {
            long[] countsBelow = new long[counts.length];
            BigInteger[] sumsBelow = new BigInteger[counts.length];
            long count = 0;
            BigInteger sum = BigInteger.ZERO;
            for (int i = 0; i < counts.length; i++) {
                count = Math.addExact(count, counts[i]);
                sum = sum.add(exact(sumHigh[i], sumLow[i]));
                countsBelow[i] = count;
                sumsBelow[i] = sum;
            }
            return new Buckets(edges, countsBelow, sumsBelow);
        }
    }
}
