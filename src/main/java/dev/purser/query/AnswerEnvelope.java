package dev.purser.query;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.purser.accounting.Accountant;
import dev.purser.dataset.Dataset;
import dev.purser.ledger.CommittedDebit;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

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

        @Schema(description = "What was charged; with blocks, to each that was asked about.")
        StatedAmount charge,

        @Schema(description = "What remains; with blocks, of each that was asked about, at least.")
        StatedAmount remaining,

        Guarantee guarantee,
        Accuracy accuracy,

        @Schema(
                description = "What was asked: the request in canonical form, which asks the same when it is sent.",
                implementation = Object.class)
        @JsonRawValue
        String question,

        @Schema(
                description = "The answer that this one makes better: both together cost `guarantee.epsilon`. Null if"
                        + " it refines none.",
                types = "string",
                example = "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q")
        @Nullable
        String refines,

        @Schema(description = "The value of the kind of question.")
        Object answer) {
    static AnswerEnvelope of(
            Dataset dataset, CommittedDebit debit, QuestionRequest request, Question.Presented presented) {
        Question<?> question = request.question();
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
                request.canonical().json(),
                request.refines() == null ? null : request.refines().queryId(),
                presented.answer());
    }
}
