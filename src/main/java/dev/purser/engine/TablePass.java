package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.mechanism.Buckets;
import dev.purser.rows.StoredRange;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The requests that one statement serves because they have the same column and filter: the union of their edges, and
 * the builders for the buckets between these.
 *
 * @param edges ascending, only those that separate values of the column, so there are at most as many buckets as values
 *     on the column's grid, for any number of requested edges
 */
record TablePass(@Nullable Column column, Filter filter, long lowest, long[] edges, List<Buckets.Builder> into) {
    private static final StoredRange NO_COLUMN = new StoredRange(0, 0);

    /**
     * @param builders one per request, in order
     * @throws IllegalArgumentException if a column is not the dataset's: a planning error, and public
     */
    static List<TablePass> of(Dataset dataset, List<BucketRequest> requests, List<Buckets.Builder> builders) {
        Map<Shared, List<Integer>> shared = new LinkedHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            BucketRequest request = requests.get(i);
            requireColumns(dataset, request);
            shared.computeIfAbsent(new Shared(request.column(), request.filter()), none -> new ArrayList<>())
                    .add(i);
        }
        List<TablePass> passes = new ArrayList<>();
        shared.forEach((key, members) -> {
            LongStream edges = members.stream()
                    .flatMapToLong(i -> Arrays.stream(requests.get(i).edges()));
            passes.add(pass(key, edges, members.stream().map(builders::get).toList()));
        });
        return passes;
    }

    private record Shared(@Nullable Column column, Filter filter) {}

    private static TablePass pass(Shared key, LongStream edges, List<Buckets.Builder> into) {
        StoredRange range = key.column() == null ? NO_COLUMN : key.column().range();
        long[] parting = edges.filter(edge -> edge > range.lower() && edge <= range.upper())
                .sorted()
                .distinct()
                .toArray();
        return new TablePass(key.column(), key.filter(), range.lower(), parting, into);
    }

    private static void requireColumns(Dataset dataset, BucketRequest request) {
        request.filter().conditions().forEach(condition -> requireColumn(dataset, condition.column()));
        if (request.column() != null) {
            requireColumn(dataset, request.column());
        }
    }

    private static void requireColumn(Dataset dataset, Column column) {
        if (!dataset.columns().contains(column)) {
            throw new IllegalArgumentException("not a column of dataset " + dataset.id() + ": " + column.name());
        }
    }

    /**
     * Adds one bucket.
     *
     * @param below the number of edges at or below its values
     */
    void add(int below, long count, BigInteger sum) {
        long member = below == 0 ? lowest : edges[below - 1];
        into.forEach(builder -> builder.addGroup(member, count, sum));
    }
}
