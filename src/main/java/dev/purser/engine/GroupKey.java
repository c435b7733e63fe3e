package dev.purser.engine;

import dev.purser.dataset.Column;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One key of a table: its groups are the rows whose stored integer in a column lies between two neighbouring edges, the
 * lower one included. The integers are grid steps of a numeric column, or list positions of a category column. A row
 * below the first edge, or not below the last edge, is in no group.
 *
 * @param edges at least two, strictly ascending, from public facts alone
 */
public record GroupKey(Column column, long[] edges) {
    public GroupKey {
        if (edges.length < 2) {
            throw new IllegalArgumentException("a key has at least two edges");
        }
        edges = edges.clone();
        for (int i = 1; i < edges.length; i++) {
            if (edges[i - 1] >= edges[i]) {
                throw new IllegalArgumentException("edges must be strictly ascending");
            }
        }
    }

    /** The number of groups. */
    public int groups() {
        return edges.length - 1;
    }

    /** The number of groups that several keys have together; one without keys. */
    static int groups(List<GroupKey> keys) {
        return keys.stream().mapToInt(GroupKey::groups).reduce(1, Math::multiplyExact);
    }

    @Override
    public long[] edges() {
        return edges.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GroupKey that && column.equals(that.column) && Arrays.equals(edges, that.edges);
    }

    @Override
    public int hashCode() {
        return Objects.hash(column, Arrays.hashCode(edges));
    }

    @Override
    public String toString() {
        return "GroupKey[" + column.name() + ", " + groups() + " groups]";
    }
}
