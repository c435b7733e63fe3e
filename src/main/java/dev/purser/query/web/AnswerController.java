package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.http.CsvTable;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.StoredAnswer;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.ServletWebRequest;

@RestController
@Tag(name = "Questions", description = "Ask, and read answers again.")
class AnswerController {
    static final String PATH = "/v1/queries/{queryId}";

    /** A client may keep an answer; it asks each time whether it may still see it. */
    private static final CacheControl KEPT = CacheControl.noCache().cachePrivate();

    private final BudgetLedger ledger;
    private final VisibleDatasets datasets;

    AnswerController(BudgetLedger ledger, VisibleDatasets datasets) {
        this.ledger = ledger;
        this.datasets = datasets;
    }

    @GetMapping(
            path = AnswerController.PATH,
            produces = {MediaType.APPLICATION_JSON_VALUE, CsvTable.TYPE})
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "getAnswer",
            summary = "Shows a stored answer again, free of charge",
            description =
                    "Byte for byte as it was first sent, or as CSV if it is a table, to whoever asked it or reused it,"
                            + " as long as the dataset is granted. It stays readable when its dataset is deleted.")
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
        StoredAnswer answer = ledger.answer(queryId)
                .filter(stored -> datasets.showsAnswer(
                        principal, ledger.hasAnswered(stored, principal.name()), stored.datasetId()))
                .orElseThrow(() -> ProblemException.of(ProblemType.NOT_FOUND, "there is no such answer"));
        MediaType form = AnswerForms.chosen(request.getRequest(), answer.kind());
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
}
