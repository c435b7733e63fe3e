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
import dev.purser.http.CsvTable;
import dev.purser.http.IdempotencyKey;
import dev.purser.http.PostJson;
import dev.purser.http.Sent;
import dev.purser.ledger.AccountBooks;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.StoredAnswer;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.query.AnswerRefinements;
import dev.purser.query.AnsweredDatasets;
import dev.purser.query.Asking;
import dev.purser.query.RefinedQuestions;
import dev.purser.query.Replies;
import dev.purser.query.quote.Quote;
import dev.purser.query.quote.Quotes;
import dev.purser.query.quote.RefinementQuote;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Refinements of answers over HTTP. All who may read an answer and ask about its dataset may refine it. */
@RestController
@Tag(name = "Questions")
class RefinementController {
    static final String PATH = AnswerController.PATH + "/refinements";

    private final Asking asking;
    private final AnswerRefinements refinements;
    private final Quotes quotes;
    private final AdmissionControl admission;
    private final AnsweredDatasets answered;
    private final AccountBooks ledger;

    RefinementController(
            Asking asking,
            AnswerRefinements refinements,
            Quotes quotes,
            AdmissionControl admission,
            AnsweredDatasets answered,
            AccountBooks ledger) {
        this.asking = asking;
        this.refinements = refinements;
        this.quotes = quotes;
        this.admission = admission;
        this.answered = answered;
        this.ledger = ledger;
    }

    @Bean
    static BodyForm<RefinedQuestions.Wanted> answerRefinementBody() {
        return BodyForm.of(RefinedQuestions.Wanted.class, RefinedQuestions.Wanted::read)
                .described(
                        RefinedQuestions.Wanted.FORM,
                        new BodyForm.Example("sharper", "A fifth of an epsilon more", "{\"epsilon\": \"0.2\"}"));
    }

    @Bean
    static BodyForm<RefinementQuote> refinementQuoteBody() {
        return BodyForm.of(RefinementQuote.class, RefinementQuote::read)
                .described(RefinementQuote.FORM, new BodyForm.Example("visits", "A fifth of an epsilon more", """
                                {"queryId": "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q", "epsilon": "0.2"}"""));
    }

    @PostMapping(
            path = PATH,
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = {MediaType.APPLICATION_JSON_VALUE, CsvTable.TYPE})
    @PermittedTo({Role.ANALYST})
    @Refuses({
        ProblemType.BUDGET_EXHAUSTED,
        ProblemType.ALREADY_REFINED,
        ProblemType.NOT_REFINABLE,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        ProblemType.DATASET_NOT_READY
    })
    @Operation(
            operationId = "refineAnswer",
            summary = "Makes an answer better for the difference",
            description = "The same question, with noise as if it had been asked once at the sum of what was charged."
                    + " `charge` is the epsilon that is sent; `guarantee.epsilon` is the sum, and covers all answers of"
                    + " the chain together. Only the newest answer of a chain can be refined.")
    @ApiResponse(
            responseCode = "200",
            description = "The answer, as stored in the ledger.",
            headers =
                    @Header(
                            name = Replies.REPLAYED,
                            description = "`true` when the answer was stored before this request.",
                            schema = @Schema(types = "string")))
    ResponseEntity<?> refine(
            @PathVariable String queryId,
            @Parameter(description = "As for questions.") IdempotencyKey key,
            Principal principal,
            HttpServletRequest request,
            @Body Sent<RefinedQuestions.Wanted> wanted)
            throws HttpMediaTypeNotAcceptableException {
        Dataset dataset = answered.of(principal, queryId);
        RequestIdentity identity =
                new RequestIdentity(principal.name(), "POST /v1/queries/" + queryId + "/refinements", key.value());
        StoredAnswer answer = refinements.answer(queryId);
        MediaType form = AnswerForms.chosen(request, AnswerRefinements.kindOf(answer));
        return Replies.sent(
                asking.refine(principal, dataset, answer, wanted.value(), identity, wanted.bytes()),
                ResponseEntity.ok().contentType(form).varyBy(HttpHeaders.ACCEPT),
                request);
    }

    @PostJson(QuoteController.PATH + "refinement")
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Refuses({ProblemType.NOT_REFINABLE, ProblemType.ALREADY_REFINED, ProblemType.REQUEST_IN_FLIGHT})
    @Operation(
            operationId = "quoteRefinement",
            summary = "What would making an answer better cost, and how near would it come?",
            description = "Spends nothing. With `targetAlpha`, the least epsilon in addition that reaches it.")
    Quote quote(Principal principal, @DatasetFor(Use.READING) Dataset dataset, @Body RefinementQuote quoted) {
        answered.requireAbout(dataset, quoted.queryId());
        ledger.requireRefinable(quoted.queryId());
        return admission.heavily(principal.name(), () -> {
            RefinedQuestions.Asked asked = refinements.asked(refinements.answer(quoted.queryId()));
            return quotes.quoteRefinement(
                    dataset,
                    quoted,
                    asked.epsilon(),
                    RefinedQuestions.pricing(dataset, asked, Optional.empty()),
                    principal.name());
        });
    }
}
