package dev.purser.sql.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.admission.AdmissionControl;
import dev.purser.http.LongReply;
import dev.purser.problem.ProblemException;
import dev.purser.sql.SqlHeaders;
import dev.purser.sql.SqlRefusal;
import dev.purser.sql.SqlReply;
import dev.purser.sql.SqlSession;
import dev.purser.sql.SqlStatements;
import dev.purser.sql.SqlTable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
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

/**
 * Trino's client protocol: one POST with a statement, and one reply that is complete. A refusal of the statement or of
 * its question is a reply with {@code error}, because clients show any other response as it is. What a client may send
 * again is a problem document with its status, which clients retry.
 */
@RestController
@Tag(name = "SQL", description = "The protocol of Trino's clients: command line, JDBC, Python, Superset, Metabase.")
class StatementController {
    private static final String PATH = "/v1/statement";

    /** A larger statement would be heavy work. */
    private static final int MOST_BYTES = AdmissionControl.SMALL_BYTES;

    private static final String SESSION = "X-Trino-Session";
    private static final String PREPARED = "X-Trino-Prepared-Statement";

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
    ResponseEntity<Statement> run(Principal principal, HttpServletRequest request) throws IOException {
        SqlReply reply;
        try {
            reply = admission.read(request, principal.name(), MOST_BYTES, body -> {
                // The body can arrive slowly, and the grants be others.
                Principal now = register.stillOpen(principal);
                SqlSession session = new SqlSession(pairs(request, SESSION), pairs(request, PREPARED));
                return sql.run(now, body, session, request);
            });
        } catch (SqlRefusal refusal) {
            return ResponseEntity.ok(
                    failed(refusal.error().name(), refusal.error().code(), refusal.detail()));
        } catch (ProblemException problem) {
            if (isToBeSentAgain(problem)) {
                throw problem;
            }
            return ResponseEntity.ok(failed(problem.type().name(), 0, problem.detail()));
        }
        HttpHeaders changes = new HttpHeaders();
        reply.changes().forEach((change, value) -> changes.set(change.header(), value));
        return ResponseEntity.ok().headers(changes).body(finished(reply));
    }

    /** What concerns the request and not its statement, or ends by itself. */
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

    private static Map<String, String> pairs(HttpServletRequest request, String header) {
        return SqlHeaders.pairs(header, Collections.list(request.getHeaders(header)));
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
    Info info() {
        return new Info(new Version(SqlStatements.VERSION), SqlStatements.CATALOG, true, false, "1.00d");
    }

    private static Statement finished(SqlReply reply) {
        String id = reply.queryId() == null ? UUID.randomUUID().toString() : reply.queryId();
        return new Statement(
                id,
                page(id),
                reply.columns().stream().map(OfColumn::of).toList(),
                reply.rows(),
                Stats.of(id, "FINISHED"),
                null,
                reply.updateType(),
                List.of());
    }

    private static Statement failed(String name, int code, String message) {
        String id = UUID.randomUUID().toString();
        Failure failure = new Failure(
                message,
                code,
                name,
                "USER_ERROR",
                new FailureInfo("dev.purser." + name, message, List.of(), List.of()));
        return new Statement(id, page(id), null, null, Stats.of(id, "FAILED"), failure, null, List.of());
    }

    /** Where a client would look at the statement: the answer, if it shows one. */
    private static String page(String id) {
        return ServletUriComponentsBuilder.fromCurrentContextPath()
                .path("/v1/queries/" + id)
                .toUriString();
    }

    @Schema(description = "What a client of SQL is connected to.")
    record Info(
            @Schema(description = "The version of Trino whose protocol this is.")
            Version nodeVersion,

            @Schema(example = "purser") String environment,
            @Schema(example = "true") boolean coordinator,
            @Schema(example = "false") boolean starting,

            @Schema(description = "Not the real time: that is for operators.", example = "1.00d")
            String uptime) {}

    @Schema(name = "ServerVersion", description = "A version.")
    record Version(@Schema(example = "480") String version) {}

    @Schema(name = "StatementReply", description = "The reply to a statement, which is complete.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Statement(
            @Schema(
                    description = "The queryId of the answer that is shown, or any other id.",
                    example = "01KAJ4Z5T3S8Q2W9E7R6Y1XBNV")
            String id,

            @Schema(
                    description = "Where the answer can be read again.",
                    example = "http://127.0.0.1:8080/v1/queries/01KAJ4Z5T3S8Q2W9E7R6Y1XBNV")
            String infoUri,

            @Schema(description = "Absent with an error.") @Nullable
            List<OfColumn> columns,

            @Schema(description = "The rows: a value for each column.") @Nullable
            List<List<@Nullable Object>> data,

            Stats stats,

            @Schema(description = "Absent if the statement ran.") @Nullable
            Failure error,

            @Schema(description = "What a statement did that is no query.", example = "SET SESSION") @Nullable
            String updateType,

            @Schema(description = "Always empty.") List<String> warnings) {}

    @Schema(name = "StatementColumn", description = "A column of the reply.")
    record OfColumn(
            @Schema(example = "sex") String name,
            @Schema(example = "varchar") String type,
            Signature typeSignature) {
        static OfColumn of(SqlTable.Column column) {
            return new OfColumn(
                    column.name(),
                    column.type().text(),
                    new Signature(
                            column.type().raw(),
                            column.type().arguments().stream()
                                    .map(argument -> new Argument("LONG", argument))
                                    .toList()));
        }
    }

    @Schema(name = "StatementType", description = "A type of Trino.")
    record Signature(
            @Schema(example = "varchar") String rawType,

            @Schema(description = "Lengths and digits.") List<Argument> arguments) {}

    @Schema(name = "StatementTypeArgument", description = "A length or a number of digits.")
    record Argument(
            @Schema(example = "LONG") String kind,
            @Schema(example = "38") int value) {}

    @Schema(name = "StatementStats", description = "What Trino counts. Nothing here depends on rows.")
    record Stats(
            @Schema(example = "FINISHED") String state,
            @Schema(example = "01KAJ4Z5T3S8Q2W9E7R6Y1XBNV") String queryId,
            @Schema(example = "false") boolean queued,
            @Schema(example = "true") boolean scheduled,
            @Schema(example = "100") double progressPercentage,
            @Schema(example = "1") int nodes,
            @Schema(example = "1") int totalSplits,
            @Schema(example = "0") int queuedSplits,
            @Schema(example = "0") int runningSplits,
            @Schema(example = "1") int completedSplits,
            @Schema(example = "0") long cpuTimeMillis,
            @Schema(example = "0") long wallTimeMillis,
            @Schema(example = "0") long queuedTimeMillis,
            @Schema(example = "0") long elapsedTimeMillis,
            @Schema(example = "0") long processedRows,
            @Schema(example = "0") long processedBytes,
            @Schema(example = "0") long peakMemoryBytes) {
        static Stats of(String id, String state) {
            return new Stats(state, id, false, true, 100, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
        }
    }

    @Schema(name = "StatementError", description = "Why a statement was refused.")
    record Failure(
            @Schema(example = "rows are not shown: write aggregates of groups")
            String message,

            @Schema(example = "13") int errorCode,
            @Schema(example = "NOT_SUPPORTED") String errorName,
            @Schema(example = "USER_ERROR") String errorType,
            FailureInfo failureInfo) {}

    @Schema(name = "StatementFailure", description = "The same, in the form of an exception.")
    record FailureInfo(
            @Schema(example = "dev.purser.NOT_SUPPORTED") String type,

            @Schema(example = "rows are not shown: write aggregates of groups")
            String message,

            @Schema(description = "Always empty.") List<String> stack,

            @Schema(description = "Always empty.") List<String> suppressed) {}
}
