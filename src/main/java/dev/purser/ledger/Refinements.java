package dev.purser.ledger;

import dev.purser.privacy.Epsilon;
import java.sql.SQLException;
import java.util.Optional;

/** What can be refined and what was, inside one transaction, as {@link Books}. */
interface Refinements {
    /** What an answer was made of; empty if nothing was kept of it. */
    Optional<Released> released(String queryId) throws SQLException;

    /** Keeps what an answer was made of, in the transaction that stores it. */
    void keep(BookedQuestion question, Released released) throws SQLException;

    /** The question that refines an answer, and the epsilon of the chain up to it; empty if none does. */
    Optional<Refines> refinedBy(String queryId) throws SQLException;

    /** The answer that a question refines; empty if it refines none. */
    Optional<String> refinedIn(String queryId) throws SQLException;

    /** Notes what a question refines, in the transaction that charges it. An answer is refined once. */
    void add(BookedQuestion question, Refines refines) throws SQLException;

    /**
     * The answer of a series with the largest epsilon below this one that can be refined; a question about another
     * dataset is of another series.
     */
    Optional<Refines> below(String datasetId, byte[] series, Epsilon epsilon) throws SQLException;
}
