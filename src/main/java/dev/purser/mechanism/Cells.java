package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.mechanism.Statistic.Count;
import dev.purser.mechanism.Statistic.RowsWithin;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The rows of a group by where their values of one column lie: each row lies in one cell. Several shares of the column
 * are sums of the same cells, so a row moves all of them together by one. Argument in {@code NoisyTable.md}.
 *
 * @param all the cells; together they hold every possible value
 */
record Cells(String column, List<RowsWithin> all) {
    Cells {
        all = List.copyOf(all);
    }

    /** The largest cells of which each of some shares is a sum. */
    static Cells of(List<Measure> shares) {
        SortedSet<Long> ends = new TreeSet<>(List.of(Statistic.NO_LOWER_END, Statistic.NO_UPPER_END));
        for (Measure share : shares) {
            for (Count range : within(share).ranges()) {
                ends.add(range.from());
                ends.add(range.to());
            }
        }
        Measure first = shares.getFirst();
        Map<List<Boolean>, List<Count>> cells = new LinkedHashMap<>();
        for (long from : ends.headSet(Statistic.NO_UPPER_END)) {
            long to = ends.tailSet(from + 1).getFirst();
            cells.computeIfAbsent(
                            shares.stream()
                                    .map(share -> contains(within(share), from))
                                    .toList(),
                            _ -> new ArrayList<>())
                    .add(new Count(first.table(), true, from, to));
        }
        return new Cells(
                first.column(),
                cells.values().stream()
                        .map(ranges -> new RowsWithin(first.table(), ranges))
                        .toList());
    }

    /** The places of the cells that a share is the sum of. */
    private IntStream inside(Measure share) {
        return IntStream.range(0, all.size())
                .filter(place -> contains(
                        within(share), all.get(place).ranges().getFirst().from()));
    }

    /** What a share counts, from numbers of the cells. */
    BigInteger sum(Measure share, List<BigInteger> cells) {
        return inside(share).mapToObj(cells::get).reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** How many cells lie on one side of a share, within or without it: the larger of the two numbers. */
    int larger(Measure share) {
        int inside = Math.toIntExact(inside(share).count());
        return Math.max(inside, all.size() - inside);
    }

    private static RowsWithin within(Measure share) {
        if (share.counted() instanceof RowsWithin within) {
            return within;
        }
        throw new IllegalArgumentException("only shares have cells");
    }

    private static boolean contains(RowsWithin within, long value) {
        return within.ranges().stream().anyMatch(range -> range.from() <= value && value < range.to());
    }
}
