package dev.purser.mechanism;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bucket statistics of a table of groups. The public edges {@code e_0 < … < e_(k-1)} are the same for every group. For
 * each group the statistics hold the exact number and the exact sum of the grid integers below each edge, and of all
 * grid integers. If squares were asked for, they also hold the exact sum of the squares. Every central question is a
 * difference of such prefixes, so one pass over the rows serves any number of questions.
 *
 * <p>A statistic without keys is a table of one group. In a table of several groups, a group has to be chosen before it
 * is read. Sums have 128 bits: grid integers are within 2^40 of zero, so the squares of a billion rows add up to less
 * than 2^111. Only this package can read the content.
 */
public final class Buckets {
    private final long[] edges;
    private final int groups;

    /** The position of the first bucket that can be read. */
    private final int first;

    private final long[] countsBelow;
    /** Null where all values are 0. */
    private final @Nullable WideSums sumsBelow;

    private final @Nullable WideSums squaresBelow;

    private Buckets(
            long[] edges,
            int groups,
            int first,
            long[] countsBelow,
            @Nullable WideSums sumsBelow,
            @Nullable WideSums squaresBelow) {
        this.edges = edges;
        this.groups = groups;
        this.first = first;
        this.countsBelow = countsBelow;
        this.sumsBelow = sumsBelow;
        this.squaresBelow = squaresBelow;
    }

    /** Collects the rows of one group into buckets. The order of the calls does not matter. */
    public static Builder over(long[] sortedEdges) {
        return over(1, sortedEdges, false);
    }

    /** Counts the rows of {@code groups} groups: there are no edges, and every value is 0. */
    public static Builder counts(int groups) {
        return new Builder(groups, new long[0], null, false);
    }

    /**
     * Collects the rows of {@code groups} groups.
     *
     * @param squares whether squares are added too
     */
    public static Builder over(int groups, long[] sortedEdges, boolean squares) {
        int buckets = Math.multiplyExact(groups, sortedEdges.length + 1);
        return new Builder(groups, sortedEdges, new WideSums(buckets), squares);
    }

    /**
     * Takes known prefixes of one group: the count and the sum below each edge, and then the count and the sum of all
     * rows.
     *
     * @param sumsHigh the high 64 bits of each sum, with the sign
     * @param sumsLow the low 64 bits of each sum
     */
    public static Buckets ofPrefixes(long[] sortedEdges, long[] countsBelow, long[] sumsHigh, long[] sumsLow) {
        long[] edges = checked(sortedEdges);
        return new Buckets(edges, 1, 0, countsBelow.clone(), new WideSums(sumsHigh.clone(), sumsLow.clone()), null);
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

    /** The number of groups. */
    int groups() {
        return groups;
    }

    /** One group, to be read. It shares this table's memory. */
    Buckets group(int index) {
        int begin = first + Objects.checkIndex(index, groups) * (edges.length + 1);
        return new Buckets(edges, 1, begin, countsBelow, sumsBelow, squaresBelow);
    }

    long totalCount() {
        return countsBelow[position(edges.length)];
    }

    BigInteger totalSum() {
        return sum(edges.length);
    }

    /** The sum of the squares of all values. */
    BigInteger totalSquares() {
        return squares().at(position(edges.length));
    }

    /** The number of values below {@code edge}, which is one of the edges. */
    long countBelow(long edge) {
        return countsBelow[position(indexOf(edge))];
    }

    /** The sum of the values below {@code edge}, which is one of the edges. */
    BigInteger sumBelow(long edge) {
        return sum(indexOf(edge));
    }

    private BigInteger sum(int bucket) {
        int position = position(bucket);
        return sumsBelow == null ? BigInteger.ZERO : sumsBelow.at(position);
    }

    /** The sum of the squares of the values below {@code edge}, which is one of the edges. */
    BigInteger squaresBelow(long edge) {
        return squares().at(position(indexOf(edge)));
    }

    private WideSums squares() {
        if (squaresBelow == null) {
            throw new IllegalStateException("squares were not asked for");
        }
        return squaresBelow;
    }

    private int position(int bucket) {
        if (groups != 1) {
            throw new IllegalStateException("one of the groups has to be chosen");
        }
        return first + bucket;
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
        return "Buckets[" + groups + " groups, " + edges.length + " edges, redacted]";
    }

    /**
     * Adds values to {@link Buckets}, once. It takes three words of memory for each bucket of each group, or five with
     * squares, or one for counts alone. The number of rows does not matter.
     */
    public static final class Builder {
        private final long[] edges;
        private final int groups;
        private final long[] counts;
        private final @Nullable WideSums sums;
        private final @Nullable WideSums squares;
        private boolean built;

        private Builder(int groups, long[] sortedEdges, @Nullable WideSums sums, boolean squares) {
            if (groups < 1) {
                throw new IllegalArgumentException("a table has at least one group");
            }
            this.groups = groups;
            edges = checked(sortedEdges);
            int buckets = Math.multiplyExact(groups, edges.length + 1);
            counts = new long[buckets];
            this.sums = sums;
            this.squares = squares ? new WideSums(buckets) : null;
        }

        /** Adds {@code count} rows that all have the grid integer {@code value}, where there is one group. */
        public void add(long value, long count) {
            if (groups != 1) {
                throw new IllegalStateException("one of the groups has to be chosen");
            }
            add(0, value, count);
        }

        /**
         * Adds {@code count} rows of a group that all have the grid integer {@code value}.
         *
         * @param value within 2^40 of zero if squares are added
         */
        public void add(int group, long value, long count) {
            int bucket = bucketOf(value);
            addTo(group, bucket, count, Math.multiplyHigh(value, count), value * count);
            long square = value * value;
            long high = Math.multiplyHigh(value, value) * count + Math.unsignedMultiplyHigh(square, count);
            addSquaresTo(group, bucket, high, square * count);
        }

        /**
         * Adds rows to one bucket of a group.
         *
         * @param bucket the number of edges at or below the values
         * @param sum the sum of the values
         */
        public void addTo(int group, int bucket, long count, long sum) {
            addTo(group, bucket, count, sum >> 63, sum);
        }

        /**
         * Adds {@code count} rows of a group between the same two edges as {@code member}.
         *
         * @param sum of their grid integers, of less than 128 bits
         * @param squares sum of the squares of these integers, of less than 128 bits
         */
        public void addRows(int group, long member, long count, BigInteger sum, BigInteger squares) {
            int bucket = bucketOf(member);
            addTo(group, bucket, count, high(sum), sum.longValue());
            addSquaresTo(group, bucket, high(squares), squares.longValue());
        }

        private static long high(BigInteger sum) {
            return sum.shiftRight(Long.SIZE).longValueExact();
        }

        /**
         * Adds to the sum of squares of one bucket of a group, if squares are added.
         *
         * @param bucket the number of edges at or below the values
         * @param high the high 64 bits of a number, with the sign
         * @param low the low 64 bits of the number
         */
        public void addSquaresTo(int group, int bucket, long high, long low) {
            if (squares != null) {
                squares.add(position(group, bucket), high, low);
            }
        }

        private int bucketOf(long value) {
            int found = Arrays.binarySearch(edges, value);
            return found >= 0 ? found + 1 : -found - 1;
        }

        private void addTo(int group, int bucket, long count, long high, long low) {
            int position = position(group, bucket);
            counts[position] = Math.addExact(counts[position], count);
            if (sums != null) {
                sums.add(position, high, low);
            }
        }

        private int position(int group, int bucket) {
            if (built) {
                throw new IllegalStateException("the table is built");
            }
            return Objects.checkIndex(group, groups) * (edges.length + 1)
                    + Objects.checkIndex(bucket, edges.length + 1);
        }

        /** Turns the buckets into prefixes, in place. Nothing can be added afterwards. */
        public Buckets build() {
            if (built) {
                throw new IllegalStateException("the table is built");
            }
            for (int group = 0; group < groups; group++) {
                for (int bucket = 1; bucket <= edges.length; bucket++) {
                    int position = position(group, bucket);
                    counts[position] = Math.addExact(counts[position], counts[position - 1]);
                    if (sums != null) {
                        sums.addWithin(position - 1, position);
                    }
                    if (squares != null) {
                        squares.addWithin(position - 1, position);
                    }
                }
            }
            built = true;
            return new Buckets(edges, groups, 0, counts, sums, squares);
        }
    }
}
