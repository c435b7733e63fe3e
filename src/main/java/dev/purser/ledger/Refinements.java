package dev.purser.ledger;

import dev.purser.privacy.Epsilon;
import java.sql.SQLException;
import java.util.Optional;

/** The answers that can be refined and the answers that were refined, inside one transaction, as {@link Books}. */
interface Refinements {
    /** The released integers of an answer; empty if they were not kept. */
    Optional<Released> released(String queryId) throws SQLException;

    /** Keeps the released integers of an answer, in the transaction that stores the answer. */
    void keep(BookedQuestion question, Released released) throws SQLException;

    /**
     * The question that refines an answer, and the epsilon of the chain up to that question. Empty if no question
     * refines the answer.
     */
    Optional<Refines> refinedBy(String queryId) throws SQLException;

    /** The answer that a question refines; empty if it refines none. */
    Optional<String> refinedIn(String queryId) throws SQLException;

    /**
     * Notes which answer a question refines, in the transaction that charges the question. An answer is refined once.
     */
    void add(BookedQuestion question, Refines refines) throws SQLException;

    /**
     * The answer of a series with the largest epsilon below this epsilon that can be refined. A question about another
     * dataset belongs to another series.
     */
    Optional<Refines> below(String datasetId, byte[] series, Epsilon epsilon) throws SQLException;
}
