package dev.purser.session.web;

import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.interactive.Interaction;
import dev.purser.json.IdempotencyKeys;
import dev.purser.json.JsonDocument;
import dev.purser.json.Order;
import dev.purser.json.Page;
import dev.purser.json.Pages;
import dev.purser.json.RequestLimits;
import dev.purser.ledger.RequestIdentity;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.query.ReleaseTimes;
import dev.purser.session.OpenSessionRequest;
import dev.purser.session.SessionView;
import dev.purser.session.StepView;
import dev.purser.session.ThresholdSessions;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Threshold sessions over HTTP. A session is its opener's: to anybody else it does not exist. */
@RestController
@Tag(
        name = "Threshold sessions",
        description = "Questions that may depend on earlier outcomes; only outcomes ABOVE use up epsilon.")
class ThresholdSessionController {
    private static final String OF_DATASET = "/v1/datasets/{id}/threshold-sessions";
    private static final String SESSION = "/v1/threshold-sessions/{sessionId}";
    private static final String REPLAYED = "Idempotency-Replayed";

    private final VisibleDatasets datasets;
    private final ThresholdSessions sessions;
    private final AdmissionControl admission;
    private final KeyRegister register;
    private final IdempotencyKeys keys;
    private final RequestLimits limits;
    private final ReleaseTimes times;
    private final Pages pages;

    ThresholdSessionController(
            VisibleDatasets datasets,
            ThresholdSessions sessions,
            AdmissionControl admission,
            KeyRegister register,
            IdempotencyKeys keys,
            RequestLimits limits,
            ReleaseTimes times,
            Pages pages) {
        this.datasets = datasets;
        this.sessions = sessions;
        this.admission = admission;
        this.register = register;
        this.keys = keys;
        this.limits = limits;
        this.times = times;
        this.pages = pages;
    }

    @PostMapping(
            path = OF_DATASET,
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Refuses({
        ProblemType.BUDGET_EXHAUSTED,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        ProblemType.DATASET_NOT_READY
    })
    @Operation(
            operationId = "openThresholdSession",
            summary = "Opens a threshold session",
            description =
                    "The price is known now, whatever is asked later. What a session does not use is not refunded.",
            parameters =
                    @Parameter(
                            in = ParameterIn.HEADER,
                            name = IdempotencyKeys.HEADER,
                            description =
                                    "1 to 255 visible ASCII characters, such as `monday-search-1`. The same key with the"
                                            + " same body returns the session that it opened, and no second charge.",
                            schema = @Schema(types = "string")),
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            schema = @Schema(implementation = OpenSessionRequest.class),
                                            examples =
                                                    @ExampleObject(
                                                            name = "visits",
                                                            summary = "Up to two of a hundred counts above 500",
                                                            value = OpenSessionRequest.VISITS))))
    @ApiResponse(
            responseCode = "201",
            description = "The session, as it was opened.",
            headers = {
                @Header(
                        name = "Location",
                        description = "The address of the session.",
                        schema = @Schema(types = "string")),
                @Header(
                        name = IdempotencyKeys.HEADER,
                        description = "The request's key, or the one made for it.",
                        schema = @Schema(types = "string")),
                @Header(
                        name = REPLAYED,
                        description = "`true` when the session was open before this request.",
                        schema = @Schema(types = "string"))
            },
            content = @Content(schema = @Schema(implementation = SessionView.class)))
    ResponseEntity<byte[]> open(
            @PathVariable String id,
            HttpServletRequest request,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal)
            throws IOException {
        String key = keys.of(request);
        try {
            datasets.requireReady(principal, id);
            ThresholdSessions.Reply reply = admission.read(request, principal.name(), limits.maxBodyBytes(), body -> {
                register.requireStillOpen(principal);
                Dataset dataset = datasets.requireReady(principal, id);
                return sessions.open(
                        dataset,
                        new RequestIdentity(
                                principal.name(), "POST /v1/datasets/" + dataset.id() + "/threshold-sessions", key),
                        body);
            });
            return sent(
                    ResponseEntity.created(URI.create("/v1/threshold-sessions/" + reply.sessionId()))
                            .header(IdempotencyKeys.HEADER, key),
                    reply);
        } catch (ProblemException refusal) {
            throw refusal.withHeader(IdempotencyKeys.HEADER, key);
        }
    }

    private static ResponseEntity<byte[]> sent(ResponseEntity.BodyBuilder response, ThresholdSessions.Reply reply) {
        if (reply.isReplayed()) {
            response.header(REPLAYED, "true");
        }
        return response.contentType(MediaType.APPLICATION_JSON).body(reply.body());
    }

    @PostMapping(
            path = SESSION + "/queries",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Refuses({
        ProblemType.BUDGET_EXHAUSTED,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        ProblemType.SESSION_CLOSED
    })
    @Operation(
            operationId = "askThresholdSession",
            summary = "Asks the next question of a session",
            description = "The same sequence number with the same body gets the same outcome, byte for byte, also when"
                    + " the session is closed.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            schema = @Schema(implementation = AskedQuestion.Body.class),
                                            examples =
                                                    @ExampleObject(
                                                            name = "visits",
                                                            summary =
                                                                    "Are there more visits at the age of 60 or later?",
                                                            value = AskedQuestion.Body.VISITS))))
    @ApiResponse(
            responseCode = "200",
            description = "The outcome, as it is stored.",
            headers =
                    @Header(
                            name = REPLAYED,
                            description = "`true` when the outcome was stored before this request.",
                            schema = @Schema(types = "string")),
            content = @Content(schema = @Schema(implementation = StepView.class)))
    ResponseEntity<byte[]> ask(
            @PathVariable String sessionId,
            HttpServletRequest request,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal)
            throws IOException {
        Interaction session = visible(principal, sessionId);
        ThresholdSessions.Reply reply = admission.read(request, principal.name(), limits.maxBodyBytes(), body -> {
            register.requireStillOpen(principal);
            AskedQuestion question = AskedQuestion.of(body, JsonDocument.parse(body, limits.document()));
            long maxRows =
                    datasets.requireEvenDeleted(principal, session.datasetId()).maxRows();
            try (ReleaseTimes.Departure departure = times.departure(ThresholdSessions.KIND, maxRows)) {
                return sessions.ask(session, question, () -> datasets.requireReady(principal, session.datasetId()));
            }
        });
        return sent(ResponseEntity.ok(), reply);
    }

    @GetMapping(path = SESSION, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Operation(operationId = "getThresholdSession", summary = "Shows a session")
    SessionView get(
            @PathVariable String sessionId, @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        Interaction session = visible(principal, sessionId);
        return sessions.view(session, datasets.requireEvenDeleted(principal, session.datasetId()));
    }

    @GetMapping(path = OF_DATASET, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "listThresholdSessions",
            summary = "Lists the caller's own sessions on a dataset by sessionId",
            description = "Ids ascend in time. Closed sessions are listed too.")
    Page<SessionView> list(
            @PathVariable String id,
            @Parameter(description = Page.AFTER) @RequestParam(defaultValue = "") String after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(1000) int limit,
            @RequestParam(defaultValue = "asc") Order order,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        Dataset dataset = datasets.requireEvenDeleted(principal, id);
        return pages.of(
                limit,
                100,
                (@Nullable Interaction last, int count) -> {
                    String cursor = last == null ? after : last.id();
                    return switch (order) {
                        case ASC -> sessions.list(dataset, principal.name(), cursor, count);
                        case DESC ->
                            sessions.listBefore(dataset, principal.name(), cursor.isEmpty() ? "~" : cursor, count);
                    };
                },
                session -> sessions.shown(session, dataset),
                Interaction::id);
    }

    @DeleteMapping(SESSION)
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "closeThresholdSession",
            summary = "Closes a session",
            description = "What it was charged stays charged. Its outcomes stay readable.")
    @ApiResponse(responseCode = "204", description = "Closed, now or before")
    ResponseEntity<Void> close(
            @PathVariable String sessionId, @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        sessions.delete(visible(principal, sessionId));
        return ResponseEntity.noContent().build();
    }

    @GetMapping(path = SESSION + "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "watchThresholdSession",
            summary = "Streams the outcomes of a session as server-sent events",
            description = "An event `outcome` for each stored outcome, with its sequence number as id, and at the end"
                    + " an event `closed`. A stream is ended after ten minutes; a browser's EventSource goes on by"
                    + " itself.",
            parameters =
                    @Parameter(
                            in = ParameterIn.HEADER,
                            name = SessionEvents.LAST_ID,
                            description = "The id of the last event received: the stream begins after it.",
                            schema = @Schema(types = "string")))
    @ApiResponse(responseCode = "200", content = @Content(mediaType = MediaType.TEXT_EVENT_STREAM_VALUE))
    void events(
            @PathVariable String sessionId,
            HttpServletRequest request,
            jakarta.servlet.http.HttpServletResponse response,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal)
            throws IOException {
        Interaction session = visible(principal, sessionId);
        new SessionEvents(sessions, session, () -> {
                    register.requireStillOpen(principal);
                    visible(principal, sessionId);
                })
                .stream(SessionEvents.after(request), response);
    }

    /** A session: its opener's, while the dataset is granted, and administrators'. Its opener is charged. */
    private Interaction visible(Principal principal, String id) {
        return sessions.named(id)
                .filter(session -> datasets.showsAnswer(
                        principal, session.principal().equals(principal.name()), session.datasetId()))
                .orElseThrow(ThresholdSessionController::notFound);
    }

    private static ProblemException notFound() {
        return ProblemException.of(ProblemType.NOT_FOUND, "there is no such threshold session");
    }
}
