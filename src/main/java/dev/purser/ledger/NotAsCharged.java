package dev.purser.ledger;

import dev.purser.journal.ChangedRow;
import dev.purser.problem.ProblemException;

/**
 * The refusal of a question that differs from what was charged. The question gets no answer. All other questions go on.
 */
public final class NotAsCharged {
    private NotAsCharged() {}

    /** As {@link ChangedRow#refused}, of a question. */
    public static ProblemException question(String queryId, String how) {
        return ChangedRow.refused("query " + queryId, how).with("queryId", queryId);
    }
}
