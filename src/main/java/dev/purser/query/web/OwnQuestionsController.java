package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.accounting.Accountant;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.DatasetFor.Use;
import dev.purser.http.Page;
import dev.purser.http.Pages;
import dev.purser.http.Paging;
import dev.purser.ledger.AskedQuestion;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.QuestionFilter;
import dev.purser.ledger.view.StoredMember;
import dev.purser.privacy.StatedAmount;
import dev.purser.query.Accuracy;
import dev.purser.query.ChargedKinds;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Questions")
class OwnQuestionsController {
    private final BudgetLedger ledger;
    private final Pages pages;
    private final ChargedKinds kinds;

    OwnQuestionsController(BudgetLedger ledger, Pages pages, ChargedKinds kinds) {
        this.pages = pages;
        this.ledger = ledger;
        this.kinds = kinds;
    }

    @GetMapping(path = "/v1/datasets/{id}/queries", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "listOwnQuestions",
            summary = "Lists the caller's own questions about a dataset by sequence number",
            description =
                    "Includes questions that were charged but not answered yet. The service answers them by itself,"
                            + " or at once when the same request is sent again with the same Idempotency-Key.")
    Page<OwnQuestionView> list(
            Principal principal,
            @DatasetFor(Use.ACCOUNTING) Dataset dataset,
            @Parameter(description = "Questions of this kind only, such as `mean`.")
                    @RequestParam(required = false)
                    @Nullable
                    String kind,
            @Parameter(description = "Questions that name this column only.") @RequestParam(required = false) @Nullable
                    String column,
            @Parameter(description = "Questions charged at this time or later, in UTC.")
                    @RequestParam(required = false)
                    @Nullable
                    Instant from,
            @Parameter(description = "Questions charged before this time, in UTC.")
                    @RequestParam(required = false)
                    @Nullable
                    Instant to,
            @Parameter(description = "Whether to show the answers too.") @RequestParam(defaultValue = "false")
                    boolean answers,
            Paging paging) {
        QuestionFilter filter = new QuestionFilter(dataset.id(), principal.name(), kinds.known(kind), column, from, to);
        Accountant accountant = dataset.registration().accountant();
        return pages.bySequence(
                paging,
                (after, count) -> switch (paging.order()) {
                    case ASC -> ledger.questions(filter, after, count);
                    case DESC -> ledger.questionsBefore(filter, after, count);
                },
                question -> view(question, accountant, answers),
                AskedQuestion::sequence);
    }

    private OwnQuestionView view(AskedQuestion question, Accountant accountant, boolean answers) {
        return new OwnQuestionView(
                question.queryId(),
                question.sequence(),
                question.at(),
                question.kind(),
                question.answered() ? "answered" : "reserved",
                question.refinable(),
                question.refinedBy(),
                question.idempotencyKey(),
                accountant.stated(question.charge(), question.limitAfter()),
                member(question, "question", "declaration"),
                member(question, "accuracy"),
                answers ? member(question, "answer") : null);
    }

    private @Nullable StoredMember member(AskedQuestion question, String... names) {
        return question.answered() ? new StoredMember(ledger, question.queryId(), Set.of(names)) : null;
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

            @Schema(description = "Whether its answer can be made better for the difference.", example = "true")
            boolean refinable,

            @Schema(description = "The question that made its answer better; null if none did.", types = "string")
            @Nullable
            String refinedBy,

            @Schema(description = "The key it was sent with, or that the service made.", example = "monday-report-1")
            String idempotencyKey,

            StatedAmount charge,

            @Schema(
                    implementation = Object.class,
                    description =
                            "What was asked, in canonical form; of a threshold session, what opened it. Null until"
                                    + " it is answered.")
            @Nullable
            StoredMember question,

            @Schema(
                    implementation = Accuracy.class,
                    description = "As the answer states it; null until it is answered.")
            @Nullable
            StoredMember accuracy,

            @Schema(
                    implementation = Object.class,
                    description =
                            "The value of the kind of question; null without `answers=true`, until it is answered,"
                                    + " and for a threshold session.")
            @Nullable
            StoredMember answer) {}
}
