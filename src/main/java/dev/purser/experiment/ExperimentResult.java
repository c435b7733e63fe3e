package dev.purser.experiment;

import java.util.List;

/**
 * The findings of an experiment.
 *
 * @param statement how the data and the reports were made
 * @param conclusions which method wins where, and by how much
 * @param rows one for each method at each epsilon in each comparison
 */
public record ExperimentResult(String statement, List<String> conclusions, List<ErrorRow> rows) {
    static ExperimentResult of(String statement, List<ErrorRow> rows) {
        return new ExperimentResult(statement, Conclusions.of(rows), rows);
    }
}
