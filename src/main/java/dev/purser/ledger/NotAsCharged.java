package dev.purser.ledger;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The refusal of a stored row that is not what was charged: something other than the service changed it. Nothing is
 * answered from it, and everything else goes on.
 */
public final class NotAsCharged {
    private static final Logger LOG = LoggerFactory.getLogger(NotAsCharged.class);

    private NotAsCharged() {}

    /**
     * Logs and returns the refusal.
     *
     * @param object the row by its kind and id
     * @param how what does not agree, without values
     */
    public static ProblemException refused(String object, String how) {
        LOG.error("{} is not answered: {}; something other than the service changed the database", object, how);
        return ProblemException.of(
                ProblemType.INTERNAL_ERROR,
                object + " is not answered: " + how
                        + ". Something other than the service changed the database; tell the operator.");
    }

    /** As {@link #refused}, of a question. */
    public static ProblemException question(String queryId, String how) {
        return refused("query " + queryId, how).with("queryId", queryId);
    }
}
