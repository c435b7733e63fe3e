package dev.purser.experiment;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** What an experiment found. */
@Schema(name = "ExperimentResult", description = "What an experiment found.")
public record ExperimentResult(
        @Schema(
                description = "How the data and the reports were made.",
                example = "normal: the mean of 10000 numbers from a normal distribution, 100 times.")
        String statement,

        @Schema(description = "Which method wins where, and by how much.")
        List<String> conclusions,

        @Schema(description = "A row for each method at each epsilon in each comparison.")
        List<ErrorRow> rows) {
    /** What is found before the end: nothing. */
    public static final ExperimentResult NONE = new ExperimentResult("", List.of(), List.of());

    static ExperimentResult of(String statement, List<ErrorRow> rows) {
        return new ExperimentResult(statement, Conclusions.of(rows), rows);
    }
}
