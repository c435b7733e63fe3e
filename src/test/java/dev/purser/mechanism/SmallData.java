package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Rows in memory, and the bucket tables that an engine would make of them. The oracle's side of a test reads the rows,
 * the mechanism's side reads the tables.
 *
 * @param views which column each bucket table is over, and which rows it has
 */
record SmallData(List<View> views) {
    static final Neighborhood ADD_OR_REMOVE_ROW =
            new Neighborhood(NeighboringRelation.ADD_OR_REMOVE_ONE, new PrivacyUnit.Row());
    static final Neighborhood REPLACE_ROW = new Neighborhood(NeighboringRelation.REPLACE_ONE, new PrivacyUnit.Row());

    /** One column, all rows. */
    static final SmallData ONE_COLUMN = new SmallData(List.of(new View(0, row -> true)));

    /**
     * What one bucket table is taken of.
     *
     * @param group the group of a row that passes the filter
     */
    record View(int column, Predicate<long[]> filter, int groups, ToIntFunction<long[]> group) {
        /** One group. */
        View(int column, Predicate<long[]> filter) {
            this(column, filter, 1, row -> 0);
        }
    }

    static Neighborhood addOrRemoveUnit(int maxRows) {
        return new Neighborhood(
                NeighboringRelation.ADD_OR_REMOVE_ONE,
                new PrivacyUnit.Column("unit", maxRows, PrivacyUnit.IdType.TEXT));
    }

    static Neighborhood replaceUnit(int maxRows) {
        return new Neighborhood(
                NeighboringRelation.REPLACE_ONE, new PrivacyUnit.Column("unit", maxRows, PrivacyUnit.IdType.TEXT));
    }

    static int maxRows(Neighborhood neighborhood) {
        return neighborhood.unit().maxRows();
    }

    /** The number of a unit's rows that leave one place for another: none where units are added. */
    static int moved(Neighborhood neighborhood) {
        return switch (neighborhood.relation()) {
            case ADD_OR_REMOVE_ONE -> 0;
            case REPLACE_ONE -> maxRows(neighborhood);
        };
    }

    /** Rows of one column. */
    static List<long[]> rows(long... values) {
        return Arrays.stream(values).mapToObj(value -> new long[] {value}).toList();
    }

    /** {@code count} times the same row of one column. */
    static List<long[]> repeated(int count, long value) {
        long[] values = new long[count];
        Arrays.fill(values, value);
        return rows(values);
    }

    /** The first count is the number of rows of 0, the next one the number of rows of 1, and so on. */
    static List<long[]> rowsOfEachValue(long... counts) {
        List<long[]> rows = new ArrayList<>();
        for (int value = 0; value < counts.length; value++) {
            rows.addAll(repeated((int) counts[value], value));
        }
        return rows;
    }

    /** The counts of the rows of 0, of 1, and so on. */
    static List<Statistic.Count> countsOfEachValue(int values) {
        return IntStream.range(0, values)
                .mapToObj(value -> new Statistic.Count(0, false, value, value + 1))
                .toList();
    }

    /** The tables that {@code statistics} are read from, with no edge more than they ask for. */
    List<Buckets> tables(List<Statistic> statistics, List<long[]> rows) {
        List<Buckets> tables = new ArrayList<>();
        for (int table = 0; table < views.size(); table++) {
            int position = table;
            long[] edges = statistics.stream()
                    .filter(statistic -> statistic.table() == position)
                    .flatMapToLong(Statistic::edges)
                    .sorted()
                    .distinct()
                    .toArray();
            View view = views.get(table);
            Buckets.Builder builder = Buckets.over(view.groups(), edges, true);
            rows.stream()
                    .filter(view.filter())
                    .forEach(row -> builder.add(view.group().applyAsInt(row), row[view.column()], 1));
            tables.add(builder.build());
        }
        return tables;
    }

    Sensitive<List<Buckets>> sensitive(Mechanism<?> mechanism, List<long[]> rows) {
        return Sensitive.of(tables(mechanism.statistics(), rows));
    }
}
