package dev.purser.http;

import dev.purser.problem.QueryParameters;

/**
 * The part of a list that a request wants.
 *
 * @param after the {@code next} of the part before; empty for the first
 * @param limit the most items
 */
@QueryParameters({"after", "limit", "order"})
public record Paging(String after, int limit, Order order) {
    static final int MOST = 1_000;
    static final int BY_DEFAULT = 100;
}
