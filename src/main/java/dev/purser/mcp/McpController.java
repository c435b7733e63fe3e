package dev.purser.mcp;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.http.Body;
import dev.purser.http.BodyForm;
import dev.purser.http.IdempotencyKey;
import dev.purser.http.LongReply;
import dev.purser.http.PostJson;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.Shape;
import dev.purser.json.Text;
import dev.purser.mcp.RpcError.Kind;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/**
 * The Model Context Protocol over HTTP: one request, one reply, no session and no stream. A tool reaches datasets,
 * books and answers by the same services as the other operations, with the same key.
 */
@RestController
@Tag(name = "Agents", description = "The same questions as tools, over the Model Context Protocol.")
class McpController {
    private static final String LIST = "tools/list";
    private static final List<String> METHODS = List.of("server/discover", LIST, Versions.CALL);
    private static final List<String> OLDER_METHODS = List.of(Versions.INITIALIZE, "ping", LIST, Versions.CALL);
    private static final String NOTIFICATION = "notifications/";
    private static final int LIST_STAYS_MILLIS = 300_000;

    private static final String INSTRUCTIONS =
            "Answers about sensitive tables, with noise that protects the people in them. Every question of `ask`"
                    + " spends privacy budget, which never comes back; the same question again is free. First see"
                    + " describe_dataset for what is stored, and try ask_free; use quote before ask. Numbers are noisy:"
                    + " state the interval with each.";

    /** The form of a message, for readers of the API's description. Clients have the protocol's own description. */
    private static final Shape.ObjectOf FORM = new Shape.ObjectOf(
            "McpMessage",
            Field.required("jsonrpc", FieldType.unread(new Shape.Word("2.0")), "The version of JSON-RPC."),
            Field.optional(
                    "id",
                    FieldType.unread(new Shape.Of(String.class)),
                    "Echoed in the reply: a string or an integer. Required in requests.",
                    "1"),
            Field.required(
                    "method",
                    FieldType.unread(new Shape.Of(String.class)),
                    "Such as `tools/list` and `tools/call`.",
                    LIST),
            Field.optional(
                    "params",
                    FieldType.unread(new Shape.Of(Object.class)),
                    "Of the method. In the current version with `_meta`, which names the version and what the client"
                            + " can."));

    private static final String EXAMPLE = """
            {"jsonrpc": "2.0", "id": "1", "method": "initialize", "params": {"protocolVersion": "2025-11-25",
             "capabilities": {}, "clientInfo": {"name": "example", "version": "1"}}}""";

    private final Tools tools;
    private final JsonMapper json;

    McpController(Tools tools, JsonMapper json) {
        this.tools = tools;
        this.json = json;
    }

    @Bean
    static BodyForm<Message> mcpBody() {
        return BodyForm.ofDocument(Message.class, (document, arguments) -> Message.of(document))
                .described(FORM, new BodyForm.Example("older", "An older client begins", EXAMPLE))
                .refusing(McpController::unread);
    }

    /**
     * The refusal of a message that cannot be read: a problem document as everywhere, with the error of JSON-RPC beside
     * it.
     */
    private static ProblemException unread(ProblemException refusal) {
        Kind kind = refusal.type() == ProblemType.MALFORMED_REQUEST ? Kind.PARSE_ERROR : Kind.INVALID_REQUEST;
        return refusal.with("jsonrpc", "2.0").with("id", null).with("error", kind.written(refusal.detail()));
    }

    @PostJson("/mcp")
    @LongReply
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Operation(
            operationId = "callTool",
            summary = "Takes one message of the Model Context Protocol",
            description = "Version 2026-07-28, in which every request stands for itself, with the headers"
                    + " `MCP-Protocol-Version`, `Mcp-Method` and, for `tools/call`, `Mcp-Name`. Clients of 2025-11-25"
                    + " and 2025-06-18 call `initialize` first. Tools are listed with `tools/list`: they list and"
                    + " describe datasets, quote, and ask. What a tool refuses is a result with `isError`.")
    @ApiResponse(
            responseCode = "200",
            description = "The response of JSON-RPC.",
            content = @Content(mediaType = MediaType.APPLICATION_JSON_VALUE, schema = @Schema(type = "object")))
    @ApiResponse(responseCode = "202", description = "A notification was received.")
    ResponseEntity<?> receive(
            Principal principal,
            @Parameter(
                            description =
                                    "Of a call of a tool that spends: the same key with the same question gets the"
                                            + " same answer. Without one, the service makes one; the same question is"
                                            + " charged once in any case.")
                    IdempotencyKey key,
            McpHeaders headers,
            HttpServletRequest request,
            @Body Message message) {
        if (message.id() == null && message.method().startsWith(NOTIFICATION)) {
            return ResponseEntity.accepted().build();
        }
        Object id = message.id();
        if (id == null) {
            throw new RpcError(Kind.INVALID_REQUEST, null, "a request must have an \"id\"");
        }
        boolean isCurrent = Versions.isCurrent(message, headers);
        if (!(isCurrent ? METHODS : OLDER_METHODS).contains(message.method())) {
            throw new RpcError(Kind.METHOD_NOT_FOUND, id, "Method not found");
        }
        Map<String, Object> result = new LinkedHashMap<>();
        if (isCurrent) {
            result.put("resultType", "complete");
        }
        result.putAll(
                switch (message.method()) {
                    case LIST ->
                        Map.of("tools", tools.listed(principal), "ttlMs", LIST_STAYS_MILLIS, "cacheScope", "private");
                    case Versions.CALL -> call(message, new Tool.Caller(principal, key.value(), request));
                    case Versions.INITIALIZE -> initialized(message);
                    case "ping" -> Map.of();
                    default -> discovered();
                });
        return ResponseEntity.ok(Message.response(id, "result", result));
    }

    @ExceptionHandler
    ResponseEntity<?> refused(RpcError error) {
        return error.response();
    }

    private Map<String, Object> call(Message message, Tool.Caller caller) {
        String name = message.param("name").orElse("");
        Tool tool = tools.named(name, caller.principal())
                .orElseThrow(() -> new RpcError(
                        Kind.INVALID_PARAMS, message.id(), "there is no tool " + Text.quoted(name) + " for this key"));
        try {
            return message.arguments(in -> tool.reader().read(in, caller)).get().written();
        } catch (ProblemException refusal) {
            return ToolResult.refused(refusal, json).written();
        }
    }

    private static Map<String, Object> initialized(Message message) {
        String version = message.param("protocolVersion")
                .filter(Versions.OLDER::contains)
                .orElse(Versions.OLDER.getFirst());
        return Map.of(
                "protocolVersion",
                version,
                "capabilities",
                Map.of("tools", Map.of()),
                "serverInfo",
                serverInfo(),
                "instructions",
                INSTRUCTIONS);
    }

    private static Map<String, Object> discovered() {
        return Map.of(
                "supportedVersions",
                List.of(Versions.CURRENT),
                "capabilities",
                Map.of("tools", Map.of()),
                "instructions",
                INSTRUCTIONS,
                "_meta",
                Map.of(Versions.META + "serverInfo", serverInfo()));
    }

    private static Map<String, String> serverInfo() {
        String version = McpController.class.getPackage().getImplementationVersion();
        return Map.of("name", "purser", "version", Objects.requireNonNullElse(version, "unpackaged"));
    }
}
