package dev.purser.rows;

import java.io.IOException;

/**
 * What all rows of one column add up to, below any edge, written once when the rows were. Which of its forms a column has follows
 * from its bounds and {@code maxRows}.
 */
public sealed interface ColumnProfile permits CountedProfile, SortedProfile {
    /**
     * Counts and sums of the rows below each edge, and at the end those of all rows. How much work that is follows from the edges,
     * the column's bounds and {@code maxRows}.
     *
     * @throws IOException if the profile is damaged
     */
    Prefixes below(long... edges) throws IOException;
}
