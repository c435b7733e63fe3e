package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.engine.BucketRequest;
import dev.purser.engine.Filter;
import dev.purser.engine.GroupKey;
import dev.purser.mechanism.Statistic;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Groups statistics into the least number of passes over the rows. Each distinct combination of column, filter and keys
 * is one bucket table, with all edges that its statistics need.
 */
public final class BucketPlan {
    private record Key(@Nullable Column column, Filter filter, List<GroupKey> keys, boolean units) {}

    private final Map<Key, Integer> tables = new LinkedHashMap<>();

    /** The tables that have squares. */
    private final Set<Integer> squared = new HashSet<>();

    /** The index of the table of one group for a column and filter; a new pair adds a table. */
    int table(@Nullable Column column, Filter filter) {
        return table(column, filter, List.of(), false);
    }

    /**
     * The index of the table for a column, filter and keys; a new combination adds a table.
     *
     * @param squares whether sums of squares are needed; a table has them if one of its statistics needs them
     */
    public int table(@Nullable Column column, Filter filter, List<GroupKey> keys, boolean squares) {
        int table = tables.computeIfAbsent(new Key(column, filter, List.copyOf(keys), false), key -> tables.size());
        if (squares) {
            squared.add(table);
        }
        return table;
    }

    /** The index of the table that counts privacy units in place of rows. */
    int unitTable(Filter filter, List<GroupKey> keys) {
        return tables.computeIfAbsent(new Key(null, filter, List.copyOf(keys), true), key -> tables.size());
    }

    /** How many passes there are so far. */
    int passes() {
        return tables.size();
    }

    /** The number of groups of every table. */
    int groups() {
        return tables.keySet().stream()
                .findFirst()
                .map(key -> key.keys().stream().mapToInt(GroupKey::groups).reduce(1, (one, other) -> one * other))
                .orElse(1);
    }

    /** One request per table, in order. */
    List<BucketRequest> requests(List<Statistic> statistics) {
        List<LongStream.Builder> edges = new ArrayList<>();
        tables.forEach((key, table) -> edges.add(LongStream.builder()));
        statistics.forEach(statistic -> statistic.edges().forEach(edges.get(statistic.table())::add));
        List<BucketRequest> requests = new ArrayList<>();
        tables.forEach((key, table) -> requests.add(new BucketRequest(
                key.column(),
                key.filter(),
                key.keys(),
                edges.get(table).build().sorted().distinct().toArray(),
                squared.contains(table),
                key.units())));
        return requests;
    }
}
