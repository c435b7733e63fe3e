package dev.purser.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A SELECT as it was written.
 *
 * @param from null without FROM
 * @param where null without WHERE
 * @param having null without HAVING
 * @param limit null without LIMIT, or with ALL
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
     * The source of a SELECT.
     *
     * @param table the name of a table; empty if the source is another SELECT
     * @param inner the other SELECT
     * @param alias null without an alias
     */
    record From(
            List<String> table,
            @Nullable SqlSelect inner,
            @Nullable String alias) {}

    /** Whether it returns no rows, whatever its source is. */
    boolean isOfNoRows() {
        return limit != null && limit == 0;
    }
}
