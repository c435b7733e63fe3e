package dev.purser.mechanism;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Bucket statistics. For sorted public edges {@code e_0 < … < e_(k-1)} they hold the exact number and the exact sum of
 * the grid integers below each edge, and of all. Every central question is a difference of such prefixes, so one pass
 * over the rows serves any number of questions.
 *
 * <p>Sums are exact at any size. Only this package can read the content.
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
     * Takes known prefixes: the count and the sum below each edge, and those of all rows last.
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
            // This is a planning error. The edge is public: edges come from the request alone.
            throw new IllegalArgumentException("no bucket edge at " + edge);
        }
        return index;
    }

    @Override
    public String toString() {
        return "Buckets[" + edges.length + " edges, redacted]";
    }

    /** Adds values to {@link Buckets}. Memory is four words per edge, for any number of rows. */
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
            addTo(bucketOf(value), count, Math.multiplyHigh(value, count), value * count);
        }

        /**
         * Adds rows to one bucket.
         *
         * @param bucket the number of edges at or below the values
         * @param sum the sum of the values
         */
        public void addTo(int bucket, long count, long sum) {
            addTo(bucket, count, sum >> 63, sum);
        }

        /**
         * Adds {@code count} rows between the same two edges as {@code member}.
         *
         * @param sum of their grid integers, of less than 128 bits
         */
        public void addGroup(long member, long count, BigInteger sum) {
            addTo(bucketOf(member), count, sum.shiftRight(Long.SIZE).longValueExact(), sum.longValue());
        }

        private int bucketOf(long value) {
            int found = Arrays.binarySearch(edges, value);
            return found >= 0 ? found + 1 : -found - 1;
        }

        private void addTo(int bucket, long count, long high, long low) {
            counts[bucket] = Math.addExact(counts[bucket], count);
            // 128-bit addition: sums do not wrap, and no value in the rows can cause an exception.
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
