package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Epsilon;
import dev.purser.problem.ProblemException;
import java.util.Optional;

/** Read access to accounts. A class that has only this cannot spend anything. */
public interface AccountBooks {
    /** The current state of the account. */
    Budget budget(String account);

    /**
     * The current books of some blocks of an account.
     *
     * @param principal the principal whose allotment counts
     */
    BlockBooks blocks(String account, String principal, BlockWindow window);

    /**
     * The answer with the largest epsilon below {@code below} that can be refined. Only questions that differ in
     * epsilon alone are considered.
     *
     * @param series the digest of the question without its epsilon
     */
    Optional<Refines> refinable(String datasetId, byte[] series, Epsilon below);

    /**
     * Looks whether an answer can be refined.
     *
     * @throws ProblemException {@code request-in-flight}, {@code not-refinable} or {@code already-refined}
     */
    void requireRefinable(String queryId);
}
