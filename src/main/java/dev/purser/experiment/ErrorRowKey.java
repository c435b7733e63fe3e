package dev.purser.experiment;

import dev.purser.local.GradientDescent;
import dev.purser.privacy.Epsilon;
import org.jspecify.annotations.Nullable;

/** The method and the data that the errors of one row are about. */
record ErrorRowKey(
        String subject,
        Comparison comparison,
        Epsilon nominal,
        Method method,
        @Nullable Integer reuse) {
    /**
     * The row.
     *
     * @param epsilon of a report; null for a baseline
     * @param groups of a training; null for a mean
     */
    ErrorRow row(Errors errors, @Nullable Epsilon epsilon, GradientDescent.@Nullable Groups groups) {
        return new ErrorRow(
                subject,
                Method.word(comparison),
                nominal,
                Method.word(method),
                reuse,
                epsilon,
                errors.absolute(),
                errors.absoluteStandardError(),
                errors.squared(),
                errors.squaredStandardError(),
                groups == null ? null : groups.rounds(),
                groups == null ? null : groups.unusedReports());
    }
}
