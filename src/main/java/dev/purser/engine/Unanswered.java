package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetCatalog;
import dev.purser.problem.FatalErrors;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.tables.TableNotReadException;
import io.micrometer.core.instrument.Metrics;
import org.slf4j.Logger;

/**
 * The result of a question whose rows cannot be read: one problem with one text, for every reason and engine. The log
 * gets the dataset's id and a description of the failure without values, and a meter counts it.
 */
final class Unanswered {
    private Unanswered() {}

    static ProblemException because(Throwable failure, Dataset dataset, Logger log) {
        FatalErrors.check(failure);
        Metrics.counter(DatasetCatalog.UNREADABLE).increment();
        log.error("reading dataset {} failed: {}", dataset.id(), TableNotReadException.loggable(failure));
        return ProblemException.of(
                ProblemType.TEMPORARILY_UNAVAILABLE, "The question could not be answered; its charge stays.");
    }
}
