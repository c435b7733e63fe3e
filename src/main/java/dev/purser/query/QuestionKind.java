package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.problem.ProblemException;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A kind of question.
 *
 * @param name in paths, plans, envelopes and ledgers
 * @param takesAssumedRows whether its accuracy depends on the number of rows that pass, so that a quote has to assume one
 * @param reader reads all fields but those of the allowance, holds them against the dataset's public facts, and ends with
 *     {@link ObjectReader#complete}
 */
public record QuestionKind(
        String name, boolean takesAssumedRows, BiFunction<ObjectReader, Dataset, Optional<Draft>> reader) {
    /**
     * Reads a question that is asked.
     *
     * @throws ProblemException {@code mechanism-not-private}
     */
    public Optional<Question<?>> readAsked(ObjectReader in, Dataset dataset) {
        // First, so that its fields are known when the kind's reader looks for unknown ones.
        Optional<PrivacyAllowance> allowance = AllowanceFields.read(in, dataset);
        return reader.apply(in, dataset).map(draft -> draft.at(allowance.orElseThrow()));
    }
}
