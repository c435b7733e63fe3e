package dev.purser.mechanism;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Equally spaced public points from a lower bound up: all grid points up to the upper bound if there are few enough, else as
 * many as there may be. Point i stands for the cell from it up to, and without, the next; values below all points, which
 * count as clamped, belong to the first cell, and the last has no end.
 *
 * @param table the position of the bucket table
 * @param selective whether the table's filter can leave out rows
 * @param lower the first point, in grid steps
 * @param upper the upper bound, at least {@code lower}
 * @param spacing grid steps from point to point
 * @param count how many points there are
 */
public record QuantilePoints(int table, boolean selective, long lower, long upper, long spacing, int count) {
    /** The most points that one probability is drawn from. */
    static final int MOST = 100_000;

    /** The most for all probabilities together: three draws of noise are made for each. */
    static final int MOST_IN_ALL = 1_000_000;

    /** The points for a number of probabilities: a function of the request. */
    public static QuantilePoints between(int table, boolean selective, long lower, long upper, int probabilities) {
        if (lower > upper || probabilities < 1) {
            throw new IllegalArgumentException("bounds out of order, or no probability");
        }
        long most = Math.min(MOST, Math.max(2, MOST_IN_ALL / probabilities));
        long width = Math.subtractExact(upper, lower);
        long spacing = Math.max(1, Math.ceilDiv(width, most - 1));
        return new QuantilePoints(table, selective, lower, upper, spacing, Math.toIntExact(width / spacing + 1));
    }

    /** Where a cell starts. */
    public long start(int cell) {
        return lower + cell * spacing;
    }

    /** The last value of a cell that there can be. */
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

    /** The numbers of rows below each point, none being below the first, and of all rows last. */
    BigInteger[] below(List<Buckets> tables) {
        return Stream.concat(Stream.of(BigInteger.ZERO), statistics().stream().map(statistic -> statistic.of(tables)))
                .toArray(BigInteger[]::new);
    }
}
