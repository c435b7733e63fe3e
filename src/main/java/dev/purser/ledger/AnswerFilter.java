package dev.purser.ledger;

import org.jspecify.annotations.Nullable;

/**
 * The stored answers to all principals' questions about a dataset that a list shows.
 *
 * @param account the account that the dataset's questions are charged to
 * @param kind the kind of the questions; null for every kind
 * @param column a column that the questions name; null for any
 */
public record AnswerFilter(
        String account,
        String datasetId,
        @Nullable String kind,
        @Nullable String column) {}
