package dev.purser.ledger;

import dev.purser.privacy.Epsilon;

/**
 * The answer that a question makes better.
 *
 * @param queryId the id of that answer
 * @param epsilon the epsilon of the whole chain, with this question
 */
public record Refines(String queryId, Epsilon epsilon) {}
