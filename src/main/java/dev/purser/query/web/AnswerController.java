package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.http.CsvTable;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.ReserveOutcome;
import dev.purser.ledger.StoredAnswer;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.query.AnswerRefinements;
import dev.purser.query.ChargedKinds;
import dev.purser.query.QueryRunner;
import dev.purser.query.Replies;
import dev.purser.query.ReusedAnswer;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.ServletWebRequest;
import tools.jackson.databind.json.JsonMapper;

@RestController
@Tag(name = "Questions", description = "Ask, and read answers again.")
class AnswerController {
    static final String PATH = "/v1/queries/{queryId}";

    /** A client may keep an answer, and has to ask each time whether it may still see the answer. */
    private static final CacheControl KEPT = CacheControl.noCache().cachePrivate();

    private final BudgetLedger ledger;
    private final VisibleDatasets datasets;
    private final JsonMapper json;
    private final ChargedKinds kinds;

    AnswerController(BudgetLedger ledger, VisibleDatasets datasets, JsonMapper json, ChargedKinds kinds) {
        this.ledger = ledger;
        this.datasets = datasets;
        this.json = json;
        this.kinds = kinds;
    }

    @GetMapping(
            path = AnswerController.PATH,
            produces = {MediaType.APPLICATION_JSON_VALUE, CsvTable.TYPE})
    @PermittedTo({Role.ANALYST, Role.VIEWER, Role.CUSTODIAN})
    @Operation(
            operationId = "getAnswer",
            summary = "Shows a stored answer again, free of charge",
            description =
                    "To whoever asked it, byte for byte as it was first sent. To everybody else who is granted the"
                            + " dataset, as a reused answer: `charge` is zero, `remaining` is the reader's own, and"
                            + " nothing says who asked. As CSV if it is a table. It stays readable when its dataset is"
                            + " deleted.")
    @ApiResponse(
            responseCode = "200",
            headers =
                    @Header(
                            name = HttpHeaders.ETAG,
                            description = "Identifies the bytes of the answer, for `If-None-Match`.",
                            schema = @Schema(types = "string")),
            content = {@Content(mediaType = MediaType.APPLICATION_JSON_VALUE), @Content(mediaType = CsvTable.TYPE)})
    @ApiResponse(
            responseCode = "304",
            description = "Unchanged: the answer is the one whose ETag was sent.",
            headers =
                    @Header(
                            name = HttpHeaders.ETAG,
                            description = "The one that was sent.",
                            schema = @Schema(types = "string")),
            content = @Content)
    ResponseEntity<?> get(
            @PathVariable String queryId, Principal principal, @Parameter(hidden = true) ServletWebRequest request)
            throws HttpMediaTypeNotAcceptableException {
        ReserveOutcome found = ledger.read(queryId, principal.name()).orElseThrow(AnswerController::notFound);
        if (found instanceof ReserveOutcome.Reused reused) {
            return reused(reused, principal, request.getRequest());
        }
        StoredAnswer answer = ((ReserveOutcome.Replayed) found).answer();
        if (!datasets.showsAnswer(principal, true, answer.datasetId())) {
            throw notFound();
        }
        MediaType form = AnswerForms.chosen(request.getRequest(), AnswerRefinements.kindOf(answer));
        String suffix = form.equals(MediaType.APPLICATION_JSON) ? "" : "-" + form.getSubtype();
        String etag = '"' + ledger.digest(answer) + suffix + '"';
        if (request.checkNotModified(etag)) {
            return ResponseEntity.status(304)
                    .varyBy(HttpHeaders.ACCEPT)
                    .cacheControl(KEPT)
                    .eTag(etag)
                    .build();
        }
        return ResponseEntity.ok()
                .contentType(form)
                .varyBy(HttpHeaders.ACCEPT)
                .cacheControl(KEPT)
                .eTag(etag)
                .body(answer);
    }

    /** A reused answer has no ETag, because what remains to the reader may change. */
    private ResponseEntity<?> reused(ReserveOutcome.Reused reused, Principal principal, HttpServletRequest request)
            throws HttpMediaTypeNotAcceptableException {
        StoredAnswer answer = reused.answer();
        if (kinds.named(answer.kind()).isEmpty()) {
            throw notFound();
        }
        Dataset dataset;
        try {
            dataset = datasets.requireEvenDeleted(principal, answer.datasetId());
        } catch (ProblemException hidden) {
            throw hidden.type() == ProblemType.NOT_FOUND ? notFound() : hidden;
        }
        return Replies.sent(
                new QueryRunner.Reply.Reused(ReusedAnswer.of(reused, dataset, json)),
                ResponseEntity.ok()
                        .contentType(AnswerForms.chosen(request, AnswerRefinements.kindOf(answer)))
                        .varyBy(HttpHeaders.ACCEPT)
                        .cacheControl(KEPT),
                request);
    }

    private static ProblemException notFound() {
        return ProblemException.of(ProblemType.NOT_FOUND, "there is no such answer");
    }
}
