package dev.purser.ledger;

import org.jspecify.annotations.Nullable;

/**
 * The stored answers to questions about a dataset that a list shows, whoever asked them.
 *
 * @param account that the dataset is charged to
 * @param kind of the questions; null for every kind
 * @param column a column that they name; null for any
 */
public record AnswerFilter(
        String account,
        String datasetId,
        @Nullable String kind,
        @Nullable String column) {}
