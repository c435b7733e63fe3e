package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Role;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.DatasetFor.Use;
import dev.purser.http.NewestFirst;
import dev.purser.http.Page;
import dev.purser.http.Pages;
import dev.purser.http.Paging;
import dev.purser.ledger.AnswerFilter;
import dev.purser.ledger.AskedQuestion;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.view.StoredMember;
import dev.purser.query.Accuracy;
import dev.purser.query.ChargedKinds;
import dev.purser.query.NewestAnswers;
import dev.purser.store.Order;
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
class AnswersController implements NewestAnswers {
    private final BudgetLedger ledger;
    private final Pages pages;
    private final ChargedKinds kinds;

    AnswersController(BudgetLedger ledger, Pages pages, ChargedKinds kinds) {
        this.ledger = ledger;
        this.pages = pages;
        this.kinds = kinds;
    }

    @GetMapping(path = "/v1/datasets/{id}/answers", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST, Role.VIEWER, Role.CUSTODIAN})
    @Operation(
            operationId = "listAnswers",
            summary = "Lists the stored answers of a dataset, which cost the caller nothing",
            description =
                    "Those to everybody's questions, and never who asked. `GET /v1/queries/{queryId}` shows each of"
                            + " them to whoever sees it here. Sessions are not listed, nor what is not answered yet.")
    Page<ListedAnswer> list(
            @DatasetFor(Use.ACCOUNTING) Dataset dataset,
            @Parameter(description = "Answers to questions of this kind only, such as `mean`.")
                    @RequestParam(required = false)
                    @Nullable
                    String kind,
            @Parameter(description = "Answers to questions that name this column only.")
                    @RequestParam(required = false)
                    @Nullable
                    String column,
            @NewestFirst Paging paging) {
        AnswerFilter filter = new AnswerFilter(dataset.account(), dataset.id(), kinds.known(kind), column);
        return pages.bySequence(
                paging,
                (after, count) -> ledger.answers(filter, paging.order(), after, count),
                this::view,
                AskedQuestion::sequence);
    }

    @Override
    public Page<?> of(Dataset dataset, int limit) {
        return list(dataset, null, null, new Paging("", limit, Order.DESC));
    }

    private ListedAnswer view(AskedQuestion question) {
        return new ListedAnswer(
                question.queryId(),
                question.kind(),
                new StoredMember(ledger, question.queryId(), Set.of("question")),
                question.at(),
                new StoredMember(ledger, question.queryId(), Set.of("accuracy")),
                question.refinable(),
                question.refinedBy());
    }

    @Schema(name = "ListedAnswer", description = "A stored answer. Nothing says who asked.")
    record ListedAnswer(
            @Schema(example = "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q") String queryId,

            @Schema(example = "mean") String kind,

            @Schema(implementation = Object.class, description = "What was asked, in canonical form.")
            StoredMember question,

            @Schema(description = "When it was charged, in UTC.", example = "2026-01-31T12:00:00Z")
            Instant answeredAt,

            @Schema(implementation = Accuracy.class, description = "As the answer states it.")
            StoredMember accuracy,

            @Schema(
                    description =
                            "Whether the answer itself can be made better for the difference. Synopses are refined"
                                    + " under their own address.",
                    example = "true")
            boolean refinable,

            @Schema(description = "The question that made the answer better; null if none did.", types = "string")
            @Nullable
            String refinedBy) {}
}
