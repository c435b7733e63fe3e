package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.JsonDocument;
import dev.purser.json.RequestLimits;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionKinds;
import dev.purser.query.quote.PlanQuote;
import dev.purser.query.quote.Quote;
import dev.purser.query.quote.QuoteRequest;
import dev.purser.query.quote.Quotes;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Quotes over HTTP. The dataset need not have its data yet, because none is read. {@link KindOperations} describes one
 * operation for each kind of question.
 */
@RestController
@Tag(name = "Quotes", description = "What questions would cost and how near their answers would come. Spends nothing.")
class QuoteController {
    static final String PLAN = "/v1/datasets/{id}/quotes";

    static final String PATH = PLAN + "/";

    private final VisibleDatasets datasets;
    private final Quotes quotes;
    private final RequestLimits limits;
    private final AdmissionControl admission;

    QuoteController(VisibleDatasets datasets, Quotes quotes, RequestLimits limits, AdmissionControl admission) {
        this.datasets = datasets;
        this.quotes = quotes;
        this.limits = limits;
        this.admission = admission;
    }

    @PostMapping(
            path = PATH + "{kind}",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Refuses(ProblemType.MECHANISM_NOT_PRIVATE)
    Quote quote(
            @PathVariable String id,
            @PathVariable String kind,
            HttpServletRequest request,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal)
            throws IOException {
        Dataset dataset = datasets.require(principal, id);
        QuestionKind known = QuestionKinds.named(kind).orElseThrow(() -> QuestionKinds.unknown(kind));
        return admission.read(request, principal.name(), limits.maxBodyBytes(), body -> {
            QuoteRequest question =
                    JsonDocument.parse(body, limits.document()).read(in -> QuoteRequest.read(in, dataset, known));
            return question.isHeavy()
                    ? admission.heavily(principal.name(), () -> quotes.quote(dataset, question, principal.name()))
                    : quotes.quote(dataset, question, principal.name());
        });
    }

    @PostMapping(path = PLAN, consumes = MediaType.APPLICATION_JSON_VALUE, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Refuses(ProblemType.MECHANISM_NOT_PRIVATE)
    @Operation(
            operationId = "quotePlan",
            summary = "What would a whole plan of questions cost, and how many times would it fit?",
            description = "Adds up the charges under the dataset's accountant and compares them with what remains now."
                    + " Spends nothing, sets nothing aside and reads no data.")
    PlanQuote plan(
            @PathVariable String id,
            HttpServletRequest request,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal)
            throws IOException {
        Dataset dataset = datasets.require(principal, id);
        return admission.read(request, principal.name(), limits.maxBodyBytes(), body -> {
            List<QuoteRequest> plan =
                    JsonDocument.parse(body, limits.document()).read(in -> QuoteRequest.readPlan(in, dataset));
            return admission.heavily(principal.name(), () -> quotes.quotePlan(dataset, plan, principal.name()));
        });
    }
}
