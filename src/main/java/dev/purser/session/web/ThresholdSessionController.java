package dev.purser.session.web;

import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.DatasetFor.Use;
import dev.purser.http.Body;
import dev.purser.http.BodyForm;
import dev.purser.http.IdempotencyKey;
import dev.purser.http.Page;
import dev.purser.http.Pages;
import dev.purser.http.Paging;
import dev.purser.http.PostJson;
import dev.purser.http.Sent;
import dev.purser.http.ServiceStop;
import dev.purser.http.TypedArgument;
import dev.purser.ledger.RequestIdentity;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.session.Interaction;
import dev.purser.session.SessionDeclaration;
import dev.purser.session.SessionQuestion;
import dev.purser.session.SessionView;
import dev.purser.session.StepView;
import dev.purser.session.ThresholdSessions;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Threshold sessions over HTTP. A session exists only for its opener and for administrators. */
@RestController
@Tag(
        name = "Threshold sessions",
        description = "Questions that may depend on earlier outcomes; only outcomes ABOVE use up epsilon.")
class ThresholdSessionController {
    private static final String OF_DATASET = "/v1/datasets/{id}/threshold-sessions";
    private static final String SESSION = "/v1/threshold-sessions/{sessionId}";
    /** The stored declaration of a session is read with every question, and its memory is not counted. */
    private static final int MAX_DECLARATION_BYTES = 1 << 16;

    private static final String REPLAYED = "Idempotency-Replayed";

    private final ThresholdSessions sessions;
    private final KeyRegister register;
    private final Pages pages;
    private final ServiceStop stop;

    ThresholdSessionController(ThresholdSessions sessions, KeyRegister register, Pages pages, ServiceStop stop) {
        this.stop = stop;
        this.sessions = sessions;
        this.register = register;
        this.pages = pages;
    }

    @Bean
    static TypedArgument<Interaction> session(ThresholdSessions sessions) {
        return TypedArgument.inPath(
                "sessionId",
                Interaction.class,
                (id, before, parameter) -> sessions.visible(before.get(Principal.class), id),
                // Nothing of a session that decides who sees it ever changes. A step reads the session again.
                (session, before, parameter) -> session);
    }

    @Bean
    static BodyForm<SessionDeclaration> sessionBody() {
        return BodyForm.of(
                        SessionDeclaration.class,
                        (in, arguments) -> SessionDeclaration.read(in, arguments.get(Dataset.class)))
                .atMost(MAX_DECLARATION_BYTES)
                .described(
                        SessionDeclaration.FORM,
                        new BodyForm.Example(
                                "visits", "Up to two of a hundred counts above 500", SessionDeclaration.VISITS));
    }

    @Bean
    static BodyForm<SessionQuestion> sessionQuestionBody() {
        return BodyForm.ofDocument(SessionQuestion.class, (document, arguments) -> SessionQuestion.of(document))
                .described(
                        SessionQuestion.FORM,
                        new BodyForm.Example(
                                "visits", "Are there more visits at the age of 60 or later?", SessionQuestion.VISITS));
    }

    @PostJson(OF_DATASET)
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
                    "The price is known now, whatever is asked later. What a session does not use is not refunded.")
    @ApiResponse(
            responseCode = "201",
            description = "The session, as it was opened.",
            headers = {
                @Header(
                        name = "Location",
                        description = "The address of the session.",
                        schema = @Schema(types = "string")),
                @Header(
                        name = REPLAYED,
                        description = "`true` when the session was open before this request.",
                        schema = @Schema(types = "string"))
            },
            content = @Content(schema = @Schema(implementation = SessionView.class)))
    ResponseEntity<byte[]> open(
            @Parameter(
                            description =
                                    "1 to 255 visible ASCII characters, such as `monday-search-1`. The same key with"
                                            + " the same body returns the session that it opened, and no second"
                                            + " charge.")
                    IdempotencyKey key,
            Principal principal,
            @DatasetFor(Use.ASKING) Dataset dataset,
            @Body Sent<SessionDeclaration> sent) {
        ThresholdSessions.Reply reply = sessions.open(
                dataset,
                new RequestIdentity(
                        principal.name(), "POST /v1/datasets/" + dataset.id() + "/threshold-sessions", key.value()),
                sent);
        return sent(ResponseEntity.created(URI.create("/v1/threshold-sessions/" + reply.sessionId())), reply);
    }

    private static ResponseEntity<byte[]> sent(ResponseEntity.BodyBuilder response, ThresholdSessions.Reply reply) {
        if (reply.isReplayed()) {
            response.header(REPLAYED, "true");
        }
        return response.contentType(MediaType.APPLICATION_JSON).body(reply.body());
    }

    @PostJson(SESSION + "/queries")
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
                    + " the session is closed.")
    @ApiResponse(
            responseCode = "200",
            description = "The outcome, as it is stored.",
            headers =
                    @Header(
                            name = REPLAYED,
                            description = "`true` when the outcome was stored before this request.",
                            schema = @Schema(types = "string")),
            content = @Content(schema = @Schema(implementation = StepView.class)))
    ResponseEntity<byte[]> ask(Principal principal, Interaction session, @Body Sent<SessionQuestion> question) {
        return sent(ResponseEntity.ok(), sessions.ask(principal, session, question));
    }

    @GetMapping(path = SESSION, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Operation(operationId = "getThresholdSession", summary = "Shows a session")
    SessionView get(Principal principal, Interaction session) {
        return sessions.view(principal, session);
    }

    @GetMapping(path = OF_DATASET, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "listThresholdSessions",
            summary = "Lists the caller's own sessions on a dataset by sessionId",
            description = "Ids ascend in time. Closed sessions are listed too.")
    Page<SessionView> list(Principal principal, @DatasetFor(Use.ACCOUNTING) Dataset dataset, Paging paging) {
        return pages.byUlid(
                paging,
                (after, count) -> sessions.list(dataset, principal.name(), paging.order(), after, count),
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
    ResponseEntity<Void> close(Principal principal, Interaction session) {
        sessions.delete(session);
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
    void events(Principal principal, Interaction session, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        new SessionEvents(sessions, session, stop, () -> {
                    register.stillOpen(principal);
                    sessions.visible(principal, session.id());
                })
                .stream(SessionEvents.after(request), response);
    }
}
