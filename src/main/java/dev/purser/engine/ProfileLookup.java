package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.mechanism.Buckets;
import dev.purser.rows.Prefixes;
import dev.purser.rows.RowsFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Answers a request from the profiles of columns. A profile has counts and sums of all rows of a file by the values of
 * one column. The profiles of several files are added up. The memory is six words for each edge.
 */
final class ProfileLookup {
    private final Dataset dataset;
    private final BucketRequest request;

    /** The column whose profile is read; null if only the number of rows is asked. */
    private final @Nullable Column column;

    private final long[] edges;
    private final Prefixes below;

    /** @param request a request for which {@link #answers} is true */
    ProfileLookup(Dataset dataset, BucketRequest request) {
        this.dataset = dataset;
        this.request = request;
        boolean isKeyed = !request.keys().isEmpty();
        column = isKeyed ? request.keys().getFirst().column() : request.column();
        edges = isKeyed ? request.keys().getFirst().edges() : request.edges();
        below = new Prefixes(edges.length);
    }

    /** Whether this can answer a request: it has to count rows by one column, without a filter and squares. */
    static boolean answers(BucketRequest request) {
        int keys = request.keys().size();
        return !request.filter().isSelective()
                && !request.squares()
                && !request.units()
                && (keys == 0 || keys == 1 && request.column() == null);
    }

    /** Adds the rows of a file. */
    void add(RowsFile rows) throws IOException {
        if (column == null) {
            below.add(0, rows.rows(), 0, 0);
        } else {
            below.add(rows.profile(dataset.columns().indexOf(column)).below(edges));
        }
    }

    /** The sums of all added files, in the form of the request. */
    Buckets build() {
        return request.keys().isEmpty()
                ? Buckets.ofPrefixes(edges, below.counts(), below.sumsHigh(), below.sumsLow())
                : ofGroups();
    }

    private Buckets ofGroups() {
        long[] counts = below.counts();
        Buckets.Builder groups = Buckets.counts(request.groups());
        for (int group = 0; group < request.groups(); group++) {
            groups.add(group, 0, counts[group + 1] - counts[group]);
        }
        return groups.build();
    }
}
