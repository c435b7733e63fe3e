package dev.purser.engine;

import dev.purser.dataset.Column;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the rows: count and sum, per bucket between public edges, of one column's stored integers among the
 * rows that pass a filter. The integers are grid steps of a numeric column, or list positions of a category column.
 *
 * @param column the bucketed column, or null to count rows only (then there are no edges, and each row's value is 0)
 * @param edges strictly ascending stored integers
 */
public record BucketRequest(@Nullable Column column, Filter filter, long[] edges) {
    public BucketRequest {
        if (column == null && edges.length > 0) {
            throw new IllegalArgumentException("a row count has no edges");
        }
        edges = edges.clone();
    }

    /** Only counts the rows that pass {@code filter}. */
    public static BucketRequest rowCount(Filter filter) {
        return new BucketRequest(null, filter, new long[0]);
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
                && Arrays.equals(edges, that.edges);
    }

    @Override
    public int hashCode() {
        return Objects.hash(column, filter, Arrays.hashCode(edges));
    }

    @Override
    public String toString() {
        return "BucketRequest[" + column + ", " + filter + ", " + edges.length + " edges]";
    }
}
