package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.mechanism.Buckets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the rows: count, sum and sum of squares, per group and per bucket between public edges, of one column's
 * stored integers among the rows that pass a filter. The integers are grid steps of a numeric column, or list positions
 * of a category column.
 *
 * @param column the bucketed column, or null to count rows only (then there are no edges, and each row's value is 0)
 * @param keys a group is a combination of one group of each key, the last key fastest; a row that is in no group of
 *     some key is not counted
 * @param edges strictly ascending stored integers
 * @param squares whether the sums of squares are needed
 */
public record BucketRequest(
        @Nullable Column column, Filter filter, List<GroupKey> keys, long[] edges, boolean squares) {
    public BucketRequest {
        if (column == null && (edges.length > 0 || squares)) {
            throw new IllegalArgumentException("a row count has no edges and no squares");
        }
        keys = List.copyOf(keys);
        edges = edges.clone();
    }

    /** Counts and sums of all rows that pass {@code filter}, as one group. */
    public static BucketRequest of(@Nullable Column column, Filter filter, long... edges) {
        return new BucketRequest(column, filter, List.of(), edges, false);
    }

    /** Only counts the rows that pass {@code filter}. */
    public static BucketRequest rowCount(Filter filter) {
        return of(null, filter);
    }

    /** The same of the rows that meet a condition too. */
    BucketRequest within(Filter.Condition condition) {
        return new BucketRequest(column, filter.and(condition), keys, edges, squares);
    }

    /** How many groups there are: one without keys. */
    public int groups() {
        return keys.stream().mapToInt(GroupKey::groups).reduce(1, Math::multiplyExact);
    }

    /** Collects what is asked for. */
    Buckets.Builder builder() {
        return column == null ? Buckets.counts(groups()) : Buckets.over(groups(), edges, squares);
    }

    @Override
    public long[] edges() {
        return edges.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BucketRequest that
                && Objects.equals(column, that.column)
                && filter.equals(that.filter)
                && keys.equals(that.keys)
                && Arrays.equals(edges, that.edges)
                && squares == that.squares;
    }

    @Override
    public int hashCode() {
        return Objects.hash(column, filter, keys, Arrays.hashCode(edges), squares);
    }

    @Override
    public String toString() {
        return "BucketRequest[" + column + ", " + filter + ", " + keys + ", " + edges.length + " edges"
                + (squares ? ", squares]" : "]");
    }
}
