package dev.purser.experiment;

import dev.purser.http.CsvTable;
import dev.purser.privacy.Epsilon;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The errors of one method at one epsilon.
 *
 * @param subject what is estimated: the mean of a distribution or of {@code values}, or a model
 * @param comparison {@code nominal}: HierA's levels are {5e, 4e, 3e, 2e, e} and the others have e.
 *     {@code equal-true}: the others have the epsilon that a report of HierA has
 * @param nominalEpsilon e
 * @param method a protocol; of regressions also {@code non-private} and {@code zero}, the baselines
 * @param reuse of HierA: into how many levels each report is expanded
 * @param epsilon the local epsilon of one whole report; null for the baselines
 * @param meanAbsoluteError of the mean, or of predictions of the held-out fold
 * @param absoluteStandardError the standard error of meanAbsoluteError
 * @param meanSquaredError of the mean, or of predictions of the held-out fold
 * @param squaredStandardError the standard error of meanSquaredError
 * @param rounds of regressions: the rounds of one fold's training
 * @param unusedReports of regressions: reports that filled no group and changed nothing
 */
public record ErrorRow(
        String subject,
        String comparison,
        Epsilon nominalEpsilon,
        String method,
        @Nullable Integer reuse,
        @Nullable Epsilon epsilon,
        BigDecimal meanAbsoluteError,
        BigDecimal absoluteStandardError,
        BigDecimal meanSquaredError,
        BigDecimal squaredStandardError,
        @Nullable Long rounds,
        @Nullable Long unusedReports) {
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
