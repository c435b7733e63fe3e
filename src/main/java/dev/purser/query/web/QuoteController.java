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
import dev.purser.http.PostJson;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.query.QuestionKind;
import dev.purser.query.Quoting;
import dev.purser.query.quote.PlanQuote;
import dev.purser.query.quote.Quote;
import dev.purser.query.quote.QuoteRequest;
import dev.purser.query.quote.Quotes;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.RestController;

/**
 * Quotes over HTTP. The dataset need not have its data yet, because no data is read. {@link KindOperations} describes
 * one operation for each kind of question.
 */
@RestController
@Tag(name = "Quotes", description = "What questions would cost and how near their answers would come. Spends nothing.")
class QuoteController {
    static final String PLAN = "/v1/datasets/{id}/quotes";

    static final String PATH = PLAN + "/";

    private final Quotes quotes;
    private final Quoting quoting;
    private final AdmissionControl admission;

    QuoteController(Quotes quotes, Quoting quoting, AdmissionControl admission) {
        this.quotes = quotes;
        this.quoting = quoting;
        this.admission = admission;
    }

    @Bean
    static BodyForm<QuoteRequest> quoteBody() {
        return BodyForm.of(
                QuoteRequest.class,
                (in, arguments) ->
                        QuoteRequest.read(in, arguments.get(Dataset.class), arguments.get(QuestionKind.class)));
    }

    @Bean
    static BodyForm<QuoteRequest.Plan> planBody() {
        return planBody(new BodyForm.Example("visits", "A plan of two questions", QuoteRequest.PLAN));
    }

    static BodyForm<QuoteRequest.Plan> planBody(BodyForm.Example example) {
        return BodyForm.of(
                        QuoteRequest.Plan.class,
                        (in, arguments) -> QuoteRequest.readPlan(in, arguments.get(Dataset.class)))
                .described(QuoteRequest.sentForPlan(), example);
    }

    @PostJson(PATH + "{kind}")
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Refuses(ProblemType.MECHANISM_NOT_PRIVATE)
    Quote quote(
            Principal principal,
            @DatasetFor(Use.READING) Dataset dataset,
            QuestionKind kind,
            @Body QuoteRequest question) {
        return quoting.quote(principal, dataset, question);
    }

    @PostJson(PLAN)
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Refuses(ProblemType.MECHANISM_NOT_PRIVATE)
    @Operation(
            operationId = "quotePlan",
            summary = "What would a whole plan of questions cost, and how many times would it fit?",
            description = "Adds up the charges under the dataset's accountant and compares them with what remains now."
                    + " Spends nothing, sets nothing aside and reads no data.")
    PlanQuote plan(
            Principal principal, @DatasetFor(Use.READING) Dataset dataset, @Body("planBody") QuoteRequest.Plan plan) {
        return admission.heavily(principal.name(), () -> quotes.quotePlan(dataset, plan.questions(), principal.name()));
    }
}
