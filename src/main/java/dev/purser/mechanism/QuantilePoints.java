package dev.purser.mechanism;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Equally spaced public points from a lower bound up: all grid points up to the upper bound if there are few enough,
 * else as many as permitted. Point i stands for the cell from point i up to the next point, exclusive. Values below all
 * points count as clamped and belong to the first cell. The last cell has no end.
 *
 * @param table the position of the bucket table
 * @param selective whether the table's filter can leave out rows
 * @param lower the first point, in grid steps
 * @param upper the upper bound, at least {@code lower}
 * @param spacing grid steps from point to point
 * @param count the number of points
 */
public record QuantilePoints(int table, boolean selective, long lower, long upper, long spacing, int count) {
    /** The largest number of points for one probability. */
    static final int MOST = 100_000;

    /** The largest number of points for all probabilities together. Each point takes three noise draws. */
    static final int MOST_IN_ALL = 1_000_000;

    /** The largest number of points for all probabilities and all groups of a table together. */
    static final int MOST_OF_GROUPS = 2_000_000;

    /** The points for a number of probabilities; a function of the request alone. */
    public static QuantilePoints between(int table, boolean selective, long lower, long upper, int probabilities) {
        return between(table, selective, lower, upper, probabilities, 1);
    }

    /** The points for a number of probabilities in each of {@code groups} groups. */
    public static QuantilePoints between(
            int table, boolean selective, long lower, long upper, int probabilities, int groups) {
        if (lower > upper || probabilities < 1) {
            throw new IllegalArgumentException("bounds out of order, or no probability");
        }
        int inAll = groups == 1 ? MOST_IN_ALL : MOST_OF_GROUPS / groups;
        long most = Math.min(MOST, Math.max(2, inAll / probabilities));
        long width = Math.subtractExact(upper, lower);
        long spacing = Math.max(1, Math.ceilDiv(width, most - 1));
        return new QuantilePoints(table, selective, lower, upper, spacing, Math.toIntExact(width / spacing + 1));
    }

    /** The first value of a cell, in grid steps. */
    public long start(int cell) {
        return lower + cell * spacing;
    }

    /** The last possible value of a cell, in grid steps. */
    public long end(int cell) {
        return cell == count - 1 ? upper : start(cell + 1) - 1;
    }

    List<Statistic> statistics() {
        return Stream.concat(
                        LongStream.range(1, count)
                                .<Statistic>mapToObj(cell -> new Statistic.Count(
                                        table, selective, Statistic.NO_LOWER_END, start((int) cell))),
                        Stream.of(Statistic.Count.ofAll(table, selective)))
                .toList();
    }

    /** The number of rows below each point, which is zero for the first point, and then the number of all rows. */
    BigInteger[] below(List<Buckets> tables) {
        return Stream.concat(Stream.of(BigInteger.ZERO), statistics().stream().map(statistic -> statistic.of(tables)))
                .toArray(BigInteger[]::new);
    }
}
