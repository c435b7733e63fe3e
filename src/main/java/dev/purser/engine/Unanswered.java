package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.problem.FatalErrors;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.tables.TableNotReadException;
import org.slf4j.Logger;

/**
 * The result of a question whose rows cannot be read: one problem with one text, for every reason and engine. The log
 * gets the dataset's id and a description of the failure without values.
 */
final class Unanswered {
    private Unanswered() {}

    static ProblemException because(Throwable failure, Dataset dataset, Logger log) {
        FatalErrors.check(failure);
        log.error("reading dataset {} failed: {}", dataset.id(), TableNotReadException.loggable(failure));
        return ProblemException.of(
                ProblemType.TEMPORARILY_UNAVAILABLE, "The question could not be answered; its charge stays.");
    }
}
