package dev.purser.sql.web;

import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.admission.AdmissionControl;
import dev.purser.http.LongReply;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.sql.SqlRefusal;
import dev.purser.sql.SqlReply;
import dev.purser.sql.SqlSession;
import dev.purser.sql.SqlStatements;
import dev.purser.sql.SqlTable;
import dev.purser.sql.SqlType;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Trino's client protocol: one POST with a statement, and one reply that is complete. A refusal of the statement or of
 * its question is a reply with {@code error}, because clients show any other response as it is. If a client may send a
 * request again, the reply is a problem document with a status that clients retry.
 */
@RestController
@Tag(name = "SQL", description = "The protocol of Trino's clients: command line, JDBC, Python, Superset, Metabase.")
class StatementController {
    private static final String PATH = "/v1/statement";

    /** The most bytes of a statement. A larger statement would be heavy work. */
    private static final int MOST_BYTES = AdmissionControl.SMALL_BYTES;

    /** The most broken rules of a question that are named. */
    private static final int MOST_DETAILS = 5;

    /** The counters that clients of Trino expect. Nothing here depends on rows. */
    private static final String STATS = """
            {"queued": false, "scheduled": true, "progressPercentage": 100, "nodes": 1, "totalSplits": 1,
            "queuedSplits": 0, "runningSplits": 0, "completedSplits": 1, "cpuTimeMillis": 0, "wallTimeMillis": 0,
            "queuedTimeMillis": 0, "elapsedTimeMillis": 0, "processedRows": 0, "processedBytes": 0,
            "peakMemoryBytes": 0}""";

    private static final JsonNode INFO =
            JsonMapper.shared().readTree("""
            {"nodeVersion": {"version": "%s"}, "environment": "%s", "coordinator": true, "starting": false,
            "uptime": "1.00d"}""".formatted(SqlStatements.VERSION, SqlStatements.CATALOG));

    private final SqlStatements sql;
    private final AdmissionControl admission;
    private final KeyRegister register;

    StatementController(SqlStatements sql, AdmissionControl admission, KeyRegister register) {
        this.sql = sql;
        this.admission = admission;
        this.register = register;
    }

    @PostMapping(path = PATH, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @LongReply(bytes = AdmissionControl.LARGE_REPLY_BYTES)
    @Operation(
            operationId = "runStatement",
            summary = "Runs a statement of SQL",
            description = """
                    One SELECT with keys, aggregates and conditions is one question, always with `reuse`: the same \
                    statement again costs nothing. The header `X-Trino-Session` has its epsilon, such as \
                    `epsilon=0.1`; without it, stored answers are shown. An error of the statement is a reply with \
                    `error`. What is answered, and what clients have to set: the page SQL of the documentation.""",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.TEXT_PLAIN_VALUE,
                                            schema = @Schema(type = "string", description = "A statement."),
                                            examples =
                                                    @ExampleObject(
                                                            name = "tables",
                                                            summary = "The tables that the key sees",
                                                            value = "SHOW TABLES"))))
    @ApiResponse(
            responseCode = "200",
            description =
                    "Trino's reply: `id`, `infoUri`, `stats`, and `columns` with `data`, or `error`. The `id` is the"
                            + " queryId of the answer that is shown. There is no `nextUri`: a reply is complete.",
            content = @Content(mediaType = MediaType.APPLICATION_JSON_VALUE, schema = @Schema(type = "object")))
    ResponseEntity<JsonNode> run(Principal principal, HttpServletRequest request) throws IOException {
        SqlReply reply;
        try {
            reply = admission.read(request, principal.name(), MOST_BYTES, body -> {
                // The body can arrive slowly, and the grants may have changed meanwhile.
                Principal now = register.stillOpen(principal);
                return sql.run(now, body, SqlSession.of(request), request);
            });
        } catch (SqlRefusal refusal) {
            return ResponseEntity.ok(
                    failed(refusal.error().name(), refusal.error().code(), refusal.detail()));
        } catch (ProblemException problem) {
            if (isToBeSentAgain(problem)) {
                throw problem;
            }
            String details = problem.violations().stream()
                    .limit(MOST_DETAILS)
                    .map(Violation::detail)
                    .distinct()
                    .collect(Collectors.joining("; "));
            return ResponseEntity.ok(failed(problem.type().name(), 0, details.isEmpty() ? problem.detail() : details));
        }
        HttpHeaders changes = new HttpHeaders();
        reply.changes().forEach(changes::set);
        return ResponseEntity.ok().headers(changes).body(finished(reply));
    }

    /** Whether a problem is about the request instead of its statement, or ends by itself. */
    private static boolean isToBeSentAgain(ProblemException problem) {
        return switch (problem.type()) {
            case UNAUTHORIZED,
                    TEMPORARILY_UNAVAILABLE,
                    TOO_MANY_REQUESTS,
                    INTERNAL_ERROR,
                    PAYLOAD_TOO_LARGE,
                    REQUEST_TIMEOUT,
                    UNSUPPORTED_MEDIA_TYPE -> true;
            default -> false;
        };
    }

    /** Whether statements are taken here, and the key is valid. */
    @RequestMapping(path = PATH, method = RequestMethod.HEAD)
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Operation(operationId = "checkStatements", summary = "Tells a client of SQL whether its key is valid")
    ResponseEntity<Void> check() {
        return ResponseEntity.ok().build();
    }

    /** A reply is complete when it is sent, so there is nothing to stop. */
    @DeleteMapping(PATH + "/{statementId}")
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Operation(
            operationId = "cancelStatement",
            summary = "Cancels a statement",
            description = "A statement is complete with its reply, so nothing is left to cancel.")
    ResponseEntity<Void> cancel(@Parameter(example = "01KAJ4Z5T3S8Q2W9E7R6Y1XBNV") @PathVariable String statementId) {
        return ResponseEntity.noContent().build();
    }

    @GetMapping(path = "/v1/info", produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(operationId = "getServerInfo", summary = "Tells clients of SQL what they are connected to")
    @ApiResponse(
            responseCode = "200",
            description = "Its version and state, and no real time.",
            content = @Content(mediaType = MediaType.APPLICATION_JSON_VALUE, schema = @Schema(type = "object")))
    JsonNode info() {
        return INFO;
    }

    private static ObjectNode finished(SqlReply reply) {
        ObjectNode body = begun(reply.queryId() == null ? UUID.randomUUID().toString() : reply.queryId(), "FINISHED");
        ArrayNode columns = body.putArray("columns");
        for (SqlTable.Column column : reply.table().columns()) {
            SqlType type = column.type();
            ObjectNode shown = columns.addObject().put("name", column.name()).put("type", type.toString());
            ArrayNode arguments =
                    shown.putObject("typeSignature").put("rawType", type.raw()).putArray("arguments");
            type.arguments()
                    .forEach(each -> arguments.addObject().put("kind", "LONG").put("value", each));
        }
        body.putPOJO("data", reply.table().sent());
        return reply.updateType() == null ? body : body.put("updateType", reply.updateType());
    }

    private static ObjectNode failed(String name, int code, String message) {
        ObjectNode body = begun(UUID.randomUUID().toString(), "FAILED");
        ObjectNode error = body.putObject("error")
                .put("message", message)
                .put("errorCode", code)
                .put("errorName", name);
        ObjectNode failure = error.put("errorType", "USER_ERROR").putObject("failureInfo");
        failure.put("type", "dev.purser." + name).put("message", message);
        failure.putArray("stack");
        failure.putArray("suppressed");
        return body;
    }

    /**
     * The members of every reply. The address is the page where a client looks at the statement: its answer, if it
     * shows one.
     */
    private static ObjectNode begun(String id, String state) {
        String page = ServletUriComponentsBuilder.fromCurrentContextPath()
                .path("/v1/queries/" + id)
                .toUriString();
        ObjectNode body = JsonMapper.shared().createObjectNode().put("id", id).put("infoUri", page);
        body.set(
                "stats",
                ((ObjectNode) JsonMapper.shared().readTree(STATS))
                        .put("state", state)
                        .put("queryId", id));
        body.putArray("warnings");
        return body;
    }
}
