package dev.purser.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A SELECT as it was written.
 *
 * @param from null without FROM
 * @param where null without WHERE
 * @param having null without HAVING
 * @param limit null without one, or with ALL
 */
record SqlSelect(
        boolean distinct,
        List<Item> items,
        @Nullable From from,
        @Nullable SqlExpression where,
        List<SqlExpression> groupBy,
        @Nullable SqlExpression having,
        List<Order> order,
        @Nullable Long limit) {
    /** @param name what comes after AS; null without it */
    record Item(SqlExpression value, @Nullable String name) {}

    /** Nulls come last. */
    record Order(SqlExpression value, boolean descending) {}

    /**
     * What a SELECT is from.
     *
     * @param table its name; empty if it is from another SELECT
     * @param inner that SELECT
     * @param alias null without one
     */
    record From(
            List<String> table,
            @Nullable SqlSelect inner,
            @Nullable String alias) {}

    /** Whether there are no rows, whatever it is from. */
    boolean isOfNoRows() {
        return limit != null && limit == 0;
    }
}
