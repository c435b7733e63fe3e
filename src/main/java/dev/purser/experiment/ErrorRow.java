package dev.purser.experiment;

import dev.purser.http.CsvTable;
import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The errors of one method at one epsilon. */
@Schema(name = "ExperimentRow", description = "The errors of one method at one epsilon.")
public record ErrorRow(
        @Schema(
                description = "What is estimated: the mean of a distribution or of `values`, or a model.",
                example = "normal")
        String subject,

        @Schema(
                allowableValues = {"nominal", "equal-true"},
                description = "`nominal`: HierA's levels are {5e, 4e, 3e, 2e, e} and the others have e. `equal-true`:"
                        + " the others have the epsilon that a report of HierA has.")
        String comparison,

        @Schema(description = "e.") Epsilon nominalEpsilon,

        @Schema(
                description = "A protocol. Of regressions also `non-private` and `zero`, the baselines.",
                example = "harmony")
        String method,

        @Schema(description = "Of HierA: into how many levels each report is expanded.", example = "1") @Nullable
        Integer reuse,

        @Schema(description = "The local epsilon of one whole report. Null for the baselines.") @Nullable
        Epsilon epsilon,

        @Schema(description = "Of the mean, or of predictions of the held-out fold.", example = "0.0123")
        BigDecimal meanAbsoluteError,

        @Schema(description = "The standard error of meanAbsoluteError.", example = "0.0009")
        BigDecimal absoluteStandardError,

        @Schema(description = "Of the mean, or of predictions of the held-out fold.", example = "0.000245")
        BigDecimal meanSquaredError,

        @Schema(description = "The standard error of meanSquaredError.", example = "0.00003")
        BigDecimal squaredStandardError,

        @Schema(description = "Of regressions: the rounds of one fold's training.", example = "80") @Nullable
        Long rounds,

        @Schema(description = "Of regressions: reports that filled no group and changed nothing.", example = "0")
        @Nullable
        Long unusedReports) {
    /** The rows of a result as CSV. */
    public static final CsvTable TABLE = new CsvTable("/rows", columns());

    private static List<String> columns() {
        return Arrays.stream(ErrorRow.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    ErrorRow comparedBy(Comparison other) {
        return new ErrorRow(
                subject,
                Method.word(other),
                nominalEpsilon,
                method,
                reuse,
                epsilon,
                meanAbsoluteError,
                absoluteStandardError,
                meanSquaredError,
                squaredStandardError,
                rounds,
                unusedReports);
    }

    /** The method, and how often it uses a report if that is more than once. */
    String name() {
        return reuse == null || reuse == 1 ? method : method + " reuse " + reuse;
    }
}
