package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * All small neighbouring pairs: every statistic is a sum over rows, so a pair differs by the rows of one unit. Two
 * columns of −2 … 2, up to three rows a unit; table 0 is column 0, table 1 is column 1, both of all rows, and table 2
 * is column 0 among the rows with column 1 at least 0.
 */
final class Units {
    static final SmallData DATA = new SmallData(List.of(
            new SmallData.View(0, row -> true),
            new SmallData.View(1, row -> true),
            new SmallData.View(0, row -> row[1] >= 0)));

    static final List<Neighborhood> NEIGHBORHOODS = List.of(
            SmallData.ADD_OR_REMOVE_ROW,
            SmallData.REPLACE_ROW,
            SmallData.addOrRemoveUnit(1),
            SmallData.addOrRemoveUnit(2),
            SmallData.addOrRemoveUnit(3),
            SmallData.replaceUnit(1),
            SmallData.replaceUnit(2),
            SmallData.replaceUnit(3));

    private Units() {}

    /** Statistics of every kind, with bounds and edges inside, at and beyond the values there are. */
    static List<Statistic> statistics() {
        List<Statistic> statistics = new ArrayList<>();
        for (int table = 0; table < 3; table++) {
            boolean selective = table == 2;
            long[] froms = {Statistic.NO_LOWER_END, -1, 1, 2};
            long[] tos = {-1, 0, 2, Statistic.NO_UPPER_END};
            for (long from : froms) {
                for (long to : tos) {
                    Statistic.Count count = new Statistic.Count(table, selective, from, to);
                    statistics.add(count);
                    statistics.add(new Statistic.NegatedCount(count));
                }
            }
            long[][] bounds = {{-2, 2}, {-1, 2}, {-2, -1}, {1, 2}, {0, 2}, {-2, 0}, {1, 1}, {0, 0}, {-1, -1}};
            for (long[] ends : bounds) {
                statistics.add(new Statistic.ClampedSum(table, selective, ends[0], ends[1]));
                statistics.add(new Statistic.Products(table, selective, ends[0], ends[1]));
            }
            for (long[] clip : new long[][] {{-2, 1}, {-1, 1}, {0, 1}, {0, 2}, {1, 1}, {-2, 4}}) {
                statistics.add(new Statistic.ClipLoss(table, selective, clip[0], clip[1]));
            }
        }
        return statistics;
    }

    /** By how much each statistic can change between neighbours: one array per pair, in the order of the statistics. */
    static List<long[]> moves(List<Statistic> statistics, Neighborhood neighborhood) {
        List<long[]> units = unitValues(statistics, neighborhood);
        if (neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE) {
            return units;
        }
        List<long[]> moves = new ArrayList<>();
        for (long[] before : units) {
            for (long[] after : units) {
                long[] move = new long[after.length];
                for (int i = 0; i < move.length; i++) {
                    move[i] = after[i] - before[i];
                }
                moves.add(move);
            }
        }
        return distinct(moves);
    }

    /** What one unit adds to each statistic, for every unit there can be. */
    static List<long[]> unitValues(List<Statistic> statistics, Neighborhood neighborhood) {
        List<long[]> rows = new ArrayList<>();
        for (long x = -2; x <= 2; x++) {
            for (long y = -2; y <= 2; y++) {
                rows.add(valuesOf(statistics, List.of(new long[] {x, y})));
            }
        }
        // A unit of a column may be left without a row. Where units are rows, a replaced row is still one row.
        boolean alwaysOneRow = neighborhood.hasPublicRowCount();
        List<long[]> sums = List.of(new long[statistics.size()]);
        List<long[]> units = new ArrayList<>(alwaysOneRow ? List.of() : sums);
        for (int size = 1; size <= neighborhood.unit().maxRows(); size++) {
            sums = distinct(plus(sums, rows));
            units.addAll(sums);
        }
        return distinct(units);
    }

    private static List<long[]> plus(List<long[]> some, List<long[]> others) {
        List<long[]> sums = new ArrayList<>();
        for (long[] one : some) {
            for (long[] other : others) {
                long[] sum = new long[one.length];
                for (int i = 0; i < sum.length; i++) {
                    sum[i] = one[i] + other[i];
                }
                sums.add(sum);
            }
        }
        return sums;
    }

    private static List<long[]> distinct(List<long[]> vectors) {
        List<long[]> kept = new ArrayList<>();
        Set<List<Long>> seen = new HashSet<>();
        for (long[] vector : vectors) {
            if (seen.add(LongStream.of(vector).boxed().toList())) {
                kept.add(vector);
            }
        }
        return kept;
    }

    private static long[] valuesOf(List<Statistic> statistics, List<long[]> rows) {
        List<Buckets> tables = DATA.tables(statistics, rows);
        return statistics.stream()
                .map(statistic -> statistic.of(tables))
                .mapToLong(BigInteger::longValueExact)
                .toArray();
    }
}
