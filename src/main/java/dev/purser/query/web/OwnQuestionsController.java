package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.accounting.Accountant;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.Page;
import dev.purser.ledger.AskedQuestion;
import dev.purser.ledger.BudgetLedger;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Instant;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Questions")
class OwnQuestionsController {
    private final VisibleDatasets datasets;
    private final BudgetLedger ledger;

    OwnQuestionsController(VisibleDatasets datasets, BudgetLedger ledger) {
        this.datasets = datasets;
        this.ledger = ledger;
    }

    @GetMapping(path = "/v1/datasets/{id}/queries", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "listOwnQuestions",
            summary = "Lists the caller's own questions about a dataset, oldest first",
            description =
                    "Includes questions that were charged but not answered yet. The service answers them by itself,"
                            + " or at once when the same request is sent again with the same Idempotency-Key.")
    Page<OwnQuestionView> list(
            @PathVariable String id,
            @Parameter(description = "Questions after this sequence.") @RequestParam(defaultValue = "0") @Min(0)
                    long after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(1000) int limit,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        Dataset dataset = datasets.requireEvenDeleted(principal, id);
        List<AskedQuestion> oneMore = ledger.questions(dataset.id(), principal.name(), after, limit + 1);
        Accountant accountant = dataset.registration().accountant();
        return Page.of(
                oneMore,
                limit,
                question -> OwnQuestionView.of(question, accountant),
                question -> String.valueOf(question.sequence()));
    }

    @Schema(name = "OwnQuestion", description = "A question of the caller, answered or not.")
    record OwnQuestionView(
            @Schema(example = "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q") String queryId,

            @Schema(description = "The sequence number of its entry in the ledger.", example = "2")
            long sequence,

            @Schema(description = "When it was charged, in UTC.", example = "2026-01-31T12:00:00Z")
            Instant at,

            @Schema(example = "mean") String kind,

            @Schema(
                    allowableValues = {"answered", "reserved"},
                    description = "`reserved`: charged, not answered yet.")
            String state,

            @Schema(description = "The key it was sent with, or that the service made.", example = "monday-report-1")
            String idempotencyKey,

            StatedAmount charge) {
        static OwnQuestionView of(AskedQuestion question, Accountant accountant) {
            return new OwnQuestionView(
                    question.queryId(),
                    question.sequence(),
                    question.at(),
                    question.kind(),
                    question.answered() ? "answered" : "reserved",
                    question.idempotencyKey(),
                    accountant.stated(question.charge(), question.limitAfter()));
        }
    }
}
