package dev.purser.query;

import dev.purser.accounting.Accountant;
import dev.purser.dataset.Dataset;
import dev.purser.ledger.CommittedDebit;
import dev.purser.mechanism.Description;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What every answer looks like.
 *
 * @param answer the kind's own value
 */
public record AnswerEnvelope(
        @Schema(example = "01KAJ4Z5T3S8Q2W9E7R6Y1XBNV") String queryId,
        @Schema(example = "adult") String datasetId,
        @Schema(example = "mean") String kind,
        MechanismView mechanism,
        StatedAmount charge,
        StatedAmount remaining,
        Guarantee guarantee,
        Accuracy accuracy,

        @Schema(description = "The value of the kind of question.")
        Object answer) {
    static AnswerEnvelope of(
            Dataset dataset, CommittedDebit debit, Question<?> question, Question.Presented presented) {
        Accountant accountant = dataset.registration().accountant();
        return new AnswerEnvelope(
                debit.queryId(),
                dataset.id(),
                question.kind(),
                MechanismView.of(question),
                accountant.stated(debit.charge(), debit.limit()),
                accountant.stated(debit.remainingAfter(), debit.limit()),
                Guarantee.of(dataset, question.event(), debit.limit().delta()),
                presented.accuracy(),
                presented.answer());
    }

    /** How the answer was made. */
    @Schema(
            name = "MechanismUsed",
            description = "How the answer was made: public parameters, in the unit of the data.")
    public record MechanismView(
            @Schema(example = "centered-mean") String name,
            @Schema(example = "discrete-laplace") String noise,

            @Schema(description = "Scales and sensitivities by name.")
            Map<String, Object> parameters) {
        static MechanismView of(Question<?> question) {
            Description description = question.description();
            Map<String, Object> parameters = new LinkedHashMap<>();
            description
                    .parameters()
                    .forEach((name, value) -> parameters.put(
                            name,
                            value instanceof Description.InSteps inSteps
                                    ? Decimals.plain(inSteps.steps()
                                            .multiply(question.grid().resolution()))
                                    : value));
            return new MechanismView(description.name(), description.noise(), parameters);
        }
    }
}
