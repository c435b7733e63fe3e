package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import org.slf4j.Logger;

/**
 * What a question ends in when its rows cannot be read, whatever the reason and the engine: one problem with one text. The log
 * gets the class of the failure and the dataset's id, for a database's messages quote values.
 */
final class Unanswered {
    private Unanswered() {}

    static ProblemException because(Throwable failure, Dataset dataset, Logger log) {
        log.error(
                "reading dataset {} failed: {}",
                dataset.id(),
                failure.getClass().getName());
        return ProblemException.of(
                ProblemType.TEMPORARILY_UNAVAILABLE, "The question could not be answered; its charge stays.");
    }
}
