package dev.purser.query;

import dev.purser.accounting.Accountant;
import dev.purser.dataset.Dataset;
import dev.purser.ledger.CommittedDebit;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.media.Schema;

/**
 * The common form of all answers.
 *
 * @param answer the value, whose type depends on the kind of question
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
                question.kind().name(),
                MechanismView.of(question),
                accountant.stated(debit.charge(), debit.limit()),
                accountant.stated(debit.remainingAfter(), debit.limit()),
                Guarantee.of(dataset, question.event(), debit.limit().delta()),
                presented.accuracy(),
                presented.answer());
    }
}
