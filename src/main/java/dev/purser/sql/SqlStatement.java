package dev.purser.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement as it was written. */
sealed interface SqlStatement {
    /** A SELECT. */
    record Query(Select select) implements SqlStatement {}

    /** What a SELECT would be charged. */
    record Explain(Select select) implements SqlStatement {}

    /** @param value what is set; null to reset it */
    record SetSession(String name, @Nullable String value) implements SqlStatement {}

    /** A catalogue or schema for the statements after it. */
    record Use(List<String> schema) implements SqlStatement {}

    /** @param text the statement, which is read when it is executed */
    record Prepare(String name, String text) implements SqlStatement {}

    record Deallocate(String name) implements SqlStatement {}

    /** What a statement that was prepared needs or returns. */
    record DescribePrepared(boolean output, String name) implements SqlStatement {}

    /**
     * A statement about names and types.
     *
     * @param what the words after SHOW, or {@code columns} for DESCRIBE
     * @param of the name after FROM or IN; empty without one
     * @param like the pattern; null without one
     */
    record Show(String what, List<String> of, @Nullable String like) implements SqlStatement {}

    /** A procedure of Trino, which has nothing to do here: a statement is complete when its reply is sent. */
    record Kill() implements SqlStatement {}

    /**
     * A SELECT.
     *
     * @param from null without FROM
     * @param where null without WHERE
     * @param having null without HAVING
     * @param limit null without one, or with ALL
     */
    record Select(
            boolean distinct,
            List<Item> items,
            @Nullable From from,
            @Nullable SqlExpression where,
            List<SqlExpression> groupBy,
            @Nullable SqlExpression having,
            List<Order> order,
            @Nullable Long limit) {}

    /** @param name what comes after AS; null without it */
    record Item(SqlExpression value, @Nullable String name) {}

    /** Nulls come last. */
    record Order(SqlExpression value, boolean descending) {}

    /** What a SELECT is from. */
    sealed interface From {
        /** @param alias null without one */
        record Table(List<String> name, @Nullable String alias) implements From {}

        /** @param alias null without one */
        record Inner(Select select, @Nullable String alias) implements From {}
    }
}
