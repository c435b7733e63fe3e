package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.tables.TableNotReadException;
import org.slf4j.Logger;

/**
 * What a question ends in when its rows cannot be read, whatever the reason and the engine: one problem with one text. The log
 * gets the dataset's id and what can be said of the failure without a value.
 */
final class Unanswered {
    private Unanswered() {}

    static ProblemException because(Throwable failure, Dataset dataset, Logger log) {
        log.error("reading dataset {} failed: {}", dataset.id(), TableNotReadException.loggable(failure));
        return ProblemException.of(
                ProblemType.TEMPORARILY_UNAVAILABLE, "The question could not be answered; its charge stays.");
    }
}
