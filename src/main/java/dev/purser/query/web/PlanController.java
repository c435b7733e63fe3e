package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.DatasetFor.Use;
import dev.purser.http.Body;
import dev.purser.http.BodyForm;
import dev.purser.http.IdempotencyKey;
import dev.purser.http.PostJson;
import dev.purser.http.Sent;
import dev.purser.ledger.RequestIdentity;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.query.Asking;
import dev.purser.query.PlanAnswers;
import dev.purser.query.QueryRunner;
import dev.purser.query.QuestionRequest;
import dev.purser.query.ReleaseTimes;
import dev.purser.query.Replies;
import dev.purser.query.quote.QuoteRequest;
import dev.purser.query.quote.Quotes;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Plans that are bought, over HTTP: many questions in one request. {@link KindOperations} describes the reply. */
@RestController
@Tag(name = "Questions")
class PlanController {
    static final String PATH = "/v1/datasets/{id}/queries";

    private final QueryRunner runner;
    private final AdmissionControl admission;
    private final Asking asking;
    private final ReleaseTimes times;

    PlanController(QueryRunner runner, AdmissionControl admission, Asking asking, ReleaseTimes times) {
        this.runner = runner;
        this.admission = admission;
        this.asking = asking;
        this.times = times;
    }

    @Bean
    static BodyForm<QuoteRequest.Plan> boughtPlanBody() {
        return QuoteController.planBody(
                new BodyForm.Example("visits", "A plan of two questions", QuoteRequest.BOUGHT_PLAN));
    }

    @PostJson(PATH)
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Refuses({
        ProblemType.BUDGET_EXHAUSTED,
        ProblemType.NOTHING_STORED,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        ProblemType.DATASET_NOT_READY,
        ProblemType.MECHANISM_NOT_PRIVATE
    })
    @Operation(
            operationId = "buyPlan",
            summary = "Asks all questions of a plan at once",
            description = "Takes the body of `quotePlan`. All questions are charged, or none is. Each is a question of"
                    + " its own, with a `queryId`, an entry in the ledger and a receipt; those about the same column"
                    + " and filter share a pass over the rows. With `reuse`, a question that is like an earlier one of"
                    + " the same plan is charged once. If the plan does not fit into the budget, `firstThatDoesNotFit`"
                    + " is the place of the first question that does not, from 0.")
    @ApiResponse(
            responseCode = "200",
            description = "The answers in the order of the plan, each as stored in the ledger.",
            headers =
                    @Header(
                            name = Replies.REPLAYED,
                            description = "`true` if this plan was charged before under its key, and its answers were"
                                    + " stored.",
                            schema = @Schema(types = "string")))
    ResponseEntity<?> buy(
            @Parameter(
                            description = "1 to 255 visible ASCII characters, such as `monday-report-1`, for the whole"
                                    + " plan. The same key with the same body gets the same answers, byte for byte, and"
                                    + " no second charge. Without one, the service makes one and returns it.")
                    IdempotencyKey key,
            Principal principal,
            @DatasetFor(Use.ASKING) Dataset dataset,
            @Body("boughtPlanBody") Sent<QuoteRequest.Plan> sent) {
        RequestIdentity identity =
                new RequestIdentity(principal.name(), "POST /v1/datasets/" + dataset.id() + "/queries", key.value());
        List<QuestionRequest> asked = sent.value().isHeavy()
                ? admission.heavily(principal.name(), () -> asked(dataset, sent.value(), principal))
                : asked(dataset, sent.value(), principal);
        PlanAnswers answers = QuestionRequest.isHeavy(asked)
                ? admission.heavily(principal.name(), () -> {
                    asking.requireStillVisible(principal, dataset);
                    return answers(dataset, asked, identity, sent.bytes());
                })
                : answers(dataset, asked, identity, sent.bytes());
        ResponseEntity.BodyBuilder response = ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON);
        return (answers.areReplayed() ? response.header(Replies.REPLAYED, "true") : response).body(answers);
    }

    private static List<QuestionRequest> asked(Dataset dataset, QuoteRequest.Plan plan, Principal principal) {
        return Quotes.asked(dataset, plan.questions()).stream()
                .map(each -> each.sentBy(principal))
                .toList();
    }

    /** Answers, and waits for the departure, as for one question. */
    private PlanAnswers answers(Dataset dataset, List<QuestionRequest> asked, RequestIdentity identity, byte[] body) {
        try (ReleaseTimes.Departure departure = times.departure(
                asked.stream().map(each -> each.question().kind().name()).toList(),
                QuestionRequest.rows(asked, dataset))) {
            return new PlanAnswers(runner.ask(dataset, asked, identity, body));
        }
    }
}
