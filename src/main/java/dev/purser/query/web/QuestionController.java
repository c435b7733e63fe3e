package dev.purser.query.web;

import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.CsvTable;
import dev.purser.json.IdempotencyKeys;
import dev.purser.json.JsonDocument;
import dev.purser.json.RequestLimits;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.StoredAnswer;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.query.QueryRunner;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionKinds;
import dev.purser.query.QuestionRequest;
import dev.purser.query.ReleaseTimes;
import dev.purser.query.ReusedAnswer;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Questions of every kind over HTTP. {@link KindOperations} describes one operation for each. */
@RestController
@Tag(name = "Questions")
class QuestionController {
    static final String PATH = "/v1/datasets/{id}/queries/";

    private static final String REPLAYED = "Idempotency-Replayed";
    private static final String REUSED = "Answer-Reused";

    private final VisibleDatasets datasets;
    private final QueryRunner runner;
    private final RequestLimits limits;
    private final IdempotencyKeys keys;
    private final AdmissionControl admission;
    private final KeyRegister register;
    private final ReleaseTimes times;

    QuestionController(
            VisibleDatasets datasets,
            QueryRunner runner,
            RequestLimits limits,
            IdempotencyKeys keys,
            AdmissionControl admission,
            KeyRegister register,
            ReleaseTimes times) {
        this.datasets = datasets;
        this.runner = runner;
        this.limits = limits;
        this.keys = keys;
        this.admission = admission;
        this.register = register;
        this.times = times;
    }

    /**
     * Answers one question. The key, the grant, the dataset's state and the announced length are checked before the
     * body is read, and the body before anything is charged. The path matches only the names of kinds: any other is not
     * found, for every method and role.
     */
    @PostMapping(
            path = PATH + "{kind:#{T(dev.purser.query.QuestionKinds).NAMES}}",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = {MediaType.APPLICATION_JSON_VALUE, CsvTable.TYPE})
    @PermittedTo({Role.ANALYST})
    @Refuses({
        ProblemType.BUDGET_EXHAUSTED,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        ProblemType.DATASET_NOT_READY,
        ProblemType.MECHANISM_NOT_PRIVATE
    })
    @Operation(
            parameters = {
                @Parameter(in = ParameterIn.PATH, name = "id"),
                @Parameter(
                        in = ParameterIn.HEADER,
                        name = IdempotencyKeys.HEADER,
                        description =
                                "1 to 255 visible ASCII characters, such as `monday-report-1`. The same key with the same"
                                        + " body gets the same answer, byte for byte, and no second charge. Without one, the"
                                        + " service makes one and returns it.",
                        schema = @Schema(types = "string"))
            })
    @ApiResponse(
            responseCode = "200",
            description = "The answer, as stored in the ledger.",
            headers = {
                @Header(
                        name = IdempotencyKeys.HEADER,
                        description = "The request's key, or the one made for it.",
                        schema = @Schema(types = "string")),
                @Header(
                        name = REPLAYED,
                        description = "`true` when the answer was stored before this request.",
                        schema = @Schema(types = "string")),
                @Header(
                        name = REUSED,
                        description = "With `reuse`: the queryId of the earlier question whose answer this is. `charge`"
                                + " is then zero, and `reusedFrom` and `answeredAt` say whose noise it is.",
                        schema = @Schema(types = "string"))
            })
    ResponseEntity<?> ask(
            @PathVariable String id,
            @PathVariable String kind,
            HttpServletRequest request,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal)
            throws IOException, HttpMediaTypeNotAcceptableException {
        QuestionKind known = QuestionKinds.named(kind).orElseThrow();
        MediaType form = AnswerForms.chosen(request, kind);
        String key = keys.of(request);
        try {
            datasets.requireReady(principal, id);
            return admission.read(request, principal.name(), limits.maxBodyBytes(), body -> {
                // A body can arrive slowly: the key may be revoked and the dataset deleted by now.
                register.requireStillOpen(principal);
                return answer(request, datasets.requireReady(principal, id), known, body, key, principal, form);
            });
        } catch (ProblemException refusal) {
            throw refusal.withHeader(IdempotencyKeys.HEADER, key);
        }
    }

    private ResponseEntity<?> answer(
            HttpServletRequest request,
            Dataset dataset,
            QuestionKind kind,
            byte[] body,
            String key,
            Principal principal,
            MediaType form)
            throws IOException {
        QuestionRequest asked = JsonDocument.parse(body, limits.document()).read(in -> kind.readAsked(in, dataset));
        RequestIdentity identity = new RequestIdentity(
                principal.name(), "POST /v1/datasets/" + dataset.id() + "/queries/" + kind.name(), key);
        QueryRunner.Reply reply = asked.question().isHeavy()
                ? admission.heavily(principal.name(), () -> {
                    register.requireStillOpen(principal);
                    return answer(dataset, asked, identity, body);
                })
                : answer(dataset, asked, identity, body);
        request.setAttribute(StoredAnswer.class.getName(), reply.answer());
        ResponseEntity.BodyBuilder response =
                ResponseEntity.ok().contentType(form).varyBy(HttpHeaders.ACCEPT).header(IdempotencyKeys.HEADER, key);
        return switch (reply) {
            case QueryRunner.Reply.Fresh(StoredAnswer answer) -> response.body(answer);
            case QueryRunner.Reply.Replayed(StoredAnswer answer) ->
                response.header(REPLAYED, "true").body(answer);
            case QueryRunner.Reply.Reused(ReusedAnswer reused) ->
                response.header(REUSED, reused.original().queryId()).body(reused);
        };
    }

    /**
     * Answers, and waits for the departure. The next question in turn waits as long, so how long it waits does not
     * depend on rows.
     */
    private QueryRunner.Reply answer(Dataset dataset, QuestionRequest asked, RequestIdentity identity, byte[] body) {
        try (ReleaseTimes.Departure departure = times.departure(
                asked.question().kind().name(), dataset.registration().maxRows())) {
            return runner.ask(dataset, asked, identity, body);
        }
    }
}
