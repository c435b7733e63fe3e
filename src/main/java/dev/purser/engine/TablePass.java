package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.mechanism.Buckets;
import dev.purser.rows.StoredRange;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The requests that one statement serves because they have the same column, filter and keys: the union of their edges,
 * and the builders for the buckets between these edges.
 *
 * @param keys the keys, in order
 * @param edges the edges that separate values of the column, ascending; so there are at most as many buckets as values
 *     on the column's grid, for any number of requested edges
 * @param squares whether a request needs the sums of squares
 */
record TablePass(
        SharedPass shared, List<Key> keys, long lowest, long[] edges, boolean squares, List<Buckets.Builder> into) {
    private static final StoredRange NO_COLUMN = new StoredRange(0, 0);

    /**
     * @param builders the builders, one per request, in order
     * @throws IllegalArgumentException if a column is not the dataset's. Such a planning error is public.
     */
    static List<TablePass> of(Dataset dataset, List<BucketRequest> requests, List<Buckets.Builder> builders) {
        Map<SharedPass, List<Integer>> sharing = new LinkedHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            sharing.computeIfAbsent(SharedPass.of(dataset, requests.get(i)), none -> new ArrayList<>())
                    .add(i);
        }
        List<TablePass> passes = new ArrayList<>();
        sharing.forEach((shared, members) -> passes.add(of(
                shared,
                members.stream().map(requests::get).toList(),
                members.stream().map(builders::get).toList())));
        return passes;
    }

    private static TablePass of(SharedPass shared, List<BucketRequest> requests, List<Buckets.Builder> into) {
        StoredRange range =
                shared.column() == null ? NO_COLUMN : shared.column().range();
        return new TablePass(
                shared,
                Key.of(shared.keys()),
                range.lower(),
                range.parting(union(requests)),
                requests.stream().anyMatch(BucketRequest::squares),
                into);
    }

    private static long[] union(List<BucketRequest> requests) {
        return requests.stream()
                .flatMapToLong(request -> Arrays.stream(request.edges()))
                .sorted()
                .distinct()
                .toArray();
    }

    /**
     * Adds one bucket of one group.
     *
     * @param number the sum over all keys of {@link Key#step} times the number of the key's {@link Key#parting} edges
     *     at or below the group's values
     * @param below the number of edges at or below the values
     */
    void add(int number, int below, long count, BigInteger sum, BigInteger sumOfSquares) {
        int group = Math.addExact(number, keys.stream().mapToInt(Key::skipped).sum());
        long member = below == 0 ? lowest : edges[below - 1];
        into.forEach(builder -> builder.addRows(group, member, count, sum, sumOfSquares));
    }

    /**
     * A key in the form that a statement needs.
     *
     * @param parting the edges that separate values of its groups, ascending
     * @param isByValue whether each value of its groups is a group of its own
     * @param lowest the least value of its groups
     * @param first how many groups lie below all values of the column
     * @param step the amount that one group adds to the number of the combination
     */
    record Key(GroupKey key, long[] parting, boolean isByValue, long lowest, int first, int step) {
        private static List<Key> of(List<GroupKey> keys) {
            List<Key> of = new ArrayList<>();
            int step = 1;
            for (GroupKey key : keys.reversed()) {
                of.add(of(key, step));
                step *= key.groups();
            }
            return of.reversed();
        }

        private static Key of(GroupKey key, int step) {
            StoredRange range = key.column().range();
            long[] edges = key.edges();
            long[] inner = Arrays.copyOfRange(edges, 1, key.groups());
            long[] parting = range.parting(inner);
            long lowest = Math.max(edges[0], range.lower());
            long highest = Math.min(edges[key.groups()] - 1, range.upper());
            return new Key(key, parting, parting.length == highest - lowest, lowest, range.passed(inner), step);
        }

        private int skipped() {
            return first * step;
        }
    }
}
