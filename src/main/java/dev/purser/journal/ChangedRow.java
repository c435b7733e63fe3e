package dev.purser.journal;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import io.micrometer.core.instrument.Metrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The refusal of a stored row that is not what the service stored. */
public final class ChangedRow {
    /** The meter that counts these refusals. */
    public static final String METER = "purser.rows.changed";

    private static final Logger LOG = LoggerFactory.getLogger(ChangedRow.class);

    private ChangedRow() {}

    /**
     * Logs, counts and returns the refusal.
     *
     * @param object the row by its kind and id
     * @param how what differs, without values
     */
    public static ProblemException refused(String object, String how) {
        LOG.error("{} is not used: {}; something other than the service changed the database", object, how);
        Metrics.counter(METER).increment();
        return ProblemException.of(
                ProblemType.INTERNAL_ERROR,
                object + " is not used: " + how
                        + ". Something other than the service changed the database; tell the operator.");
    }
}
