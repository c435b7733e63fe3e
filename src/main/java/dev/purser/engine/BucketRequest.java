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
 * @param keys a group is a combination of one group of each key, and the last key changes fastest; a row that is
 *     outside all groups of one of the keys is not counted
 * @param edges strictly ascending stored integers
 * @param squares whether the sums of squares are needed
 * @param units whether privacy units are counted in place of rows: in each group, the units with at least one row in it
 *     that passes the filter. A column of the dataset names the unit, and the rows are of one block at most
 */
public record BucketRequest(
        @Nullable Column column, Filter filter, List<GroupKey> keys, long[] edges, boolean squares, boolean units) {
    public BucketRequest {
        if (column != null && units) {
            throw new IllegalArgumentException("units are counted without a column");
        }
        if (column == null && (edges.length > 0 || squares)) {
            throw new IllegalArgumentException("a row count has no edges and no squares");
        }
        keys = List.copyOf(keys);
        edges = edges.clone();
    }

    /** A pass over rows. */
    public BucketRequest(@Nullable Column column, Filter filter, List<GroupKey> keys, long[] edges, boolean squares) {
        this(column, filter, keys, edges, squares, false);
    }

    /** Counts and sums of all rows that pass {@code filter}, as one group. */
    public static BucketRequest of(@Nullable Column column, Filter filter, long... edges) {
        return new BucketRequest(column, filter, List.of(), edges, false);
    }

    /** Only counts the rows that pass {@code filter}. */
    public static BucketRequest rowCount(Filter filter) {
        return of(null, filter);
    }

    /** Counts the privacy units with at least one row that passes {@code filter}, in each group. */
    public static BucketRequest unitCount(Filter filter, List<GroupKey> keys) {
        return new BucketRequest(null, filter, keys, new long[0], false, true);
    }

    /** The same request for the rows that also meet a condition. */
    BucketRequest within(Filter.Condition condition) {
        return new BucketRequest(column, filter.and(condition), keys, edges, squares, units);
    }

    /** The number of groups; one without keys. */
    public int groups() {
        return GroupKey.groups(keys);
    }

    /** A new builder of the requested buckets. */
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
                && squares == that.squares
                && units == that.units;
    }

    @Override
    public int hashCode() {
        return Objects.hash(column, filter, keys, Arrays.hashCode(edges), squares, units);
    }

    @Override
    public String toString() {
        return "BucketRequest[" + column + ", " + filter + ", " + keys + ", " + edges.length + " edges"
                + (squares ? ", squares" : "") + (units ? ", units]" : "]");
    }
}
