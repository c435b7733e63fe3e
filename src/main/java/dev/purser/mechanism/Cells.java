package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.mechanism.Statistic.Count;
import dev.purser.mechanism.Statistic.RowsWithin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The rows of a group, divided into cells by their values of one column. Each row lies in one cell. Several shares of
 * the column are sums of the same cells, and a row moves all cells together by one. Argument in {@code NoisyTable.md}.
 *
 * @param all the cells; together they hold every possible value
 * @param inside for each share the places of the cells that it is the sum of
 */
record Cells(String column, List<RowsWithin> all, Map<Measure, List<Integer>> inside) {
    /**
     * The largest cells for which each of these shares is a sum of cells: values in the same shares are in the same
     * cell.
     */
    static Cells of(List<Measure> shares) {
        long[] ends = ends(shares);
        List<BitSet> sections =
                shares.stream().map(share -> sections(share, ends)).toList();
        Map<BitSet, List<Count>> cells = new LinkedHashMap<>();
        Measure first = shares.getFirst();
        for (int i = 0; i + 1 < ends.length; i++) {
            int section = i;
            BitSet holders = new BitSet();
            IntStream.range(0, shares.size())
                    .filter(share -> sections.get(share).get(section))
                    .forEach(holders::set);
            cells.computeIfAbsent(holders, _ -> new ArrayList<>())
                    .add(new Count(first.table(), true, ends[i], ends[i + 1]));
        }
        List<BitSet> holders = List.copyOf(cells.keySet());
        Map<Measure, List<Integer>> inside = new HashMap<>();
        for (int i = 0; i < shares.size(); i++) {
            int share = i;
            inside.put(
                    shares.get(i),
                    IntStream.range(0, holders.size())
                            .filter(cell -> holders.get(cell).get(share))
                            .boxed()
                            .toList());
        }
        return new Cells(
                first.column(),
                cells.values().stream()
                        .map(ranges -> new RowsWithin(first.table(), ranges))
                        .toList(),
                Map.copyOf(inside));
    }

    /** All ends of the shares' ranges, ascending, between the open ends of all values. */
    private static long[] ends(List<Measure> shares) {
        LongStream ofShares = shares.stream()
                .flatMapToLong(share -> within(share).ranges().stream()
                        .flatMapToLong(range -> LongStream.of(range.from(), range.to())));
        return LongStream.concat(LongStream.of(Statistic.NO_LOWER_END, Statistic.NO_UPPER_END), ofShares)
                .sorted()
                .distinct()
                .toArray();
    }

    /** The sections between neighbouring ends that a share contains. */
    private static BitSet sections(Measure share, long[] ends) {
        BitSet sections = new BitSet();
        for (Count range : within(share).ranges()) {
            if (range.from() < range.to()) {
                sections.set(Arrays.binarySearch(ends, range.from()), Arrays.binarySearch(ends, range.to()));
            }
        }
        return sections;
    }

    private static RowsWithin within(Measure share) {
        if (share.counted() instanceof RowsWithin within) {
            return within;
        }
        throw new IllegalArgumentException("only shares have cells");
    }

    /** The places of the cells that a share is the sum of. */
    List<Integer> of(Measure share) {
        return Objects.requireNonNull(inside.get(share));
    }
}
