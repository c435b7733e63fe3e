package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.engine.BucketRequest;
import dev.purser.engine.Filter;
import dev.purser.mechanism.Statistic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Groups statistics into the least number of passes over the rows. Each distinct pair of column and filter is one
 * bucket table, with all edges that its statistics need.
 */
final class BucketPlan {
    private record Key(@Nullable Column column, Filter filter) {}

    private final Map<Key, Integer> tables = new LinkedHashMap<>();

    /** The index of the table for a column and filter; a new pair adds a table. */
    int table(@Nullable Column column, Filter filter) {
        return tables.computeIfAbsent(new Key(column, filter), key -> tables.size());
    }

    /** How many passes there are so far. */
    int passes() {
        return tables.size();
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
                edges.get(table).build().sorted().distinct().toArray())));
        return requests;
    }
}
