package dev.purser.mcp;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.JsonDocument;
import dev.purser.json.JsonValue;
import dev.purser.json.JsonValue.JsonNumber;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.mcp.RpcError.Kind;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One message of JSON-RPC 2.0.
 *
 * @param id echoed in every response: a string or an integer; null in a notification
 * @param params the parameters; empty if there are none
 */
record Message(JsonDocument document, @Nullable Object id, String method, JsonObject params) {
    /** Where the arguments of a tool stand in the message: a JSON pointer. */
    static final String ARGUMENTS = "/params/arguments";

    private static final FieldType<ObjectReader> ANY_OBJECT = FieldType.object(new Shape.Of(Object.class));
    private static final Field<ObjectReader> PARAMS = Field.required("params", ANY_OBJECT, "");
    private static final Field<ObjectReader> ARGUMENTS_OF_TOOL = Field.required("arguments", ANY_OBJECT, "");

    private static final JsonObject NONE = new JsonObject(Map.of());
    private static final int MAX_ID_DIGITS = 18;

    /**
     * Reads a message.
     *
     * @throws RpcError if it is not a message; a batch is not a message
     */
    static Message of(JsonDocument document) {
        JsonObject root = document.root() instanceof JsonObject object ? object : NONE;
        JsonValue sent = root.members().get("id");
        Object id = id(sent);
        Optional<String> method = text(root, "method");
        if (!document.violations().isEmpty()) {
            throw new RpcError(Kind.INVALID_REQUEST, id, document.violations().summary());
        }
        if (!text(root, "jsonrpc").equals(Optional.of("2.0")) || method.isEmpty() || id == null && sent != null) {
            throw new RpcError(
                    Kind.INVALID_REQUEST,
                    id,
                    "a message must be one object with \"jsonrpc\": \"2.0\", a \"method\", and in a request an \"id\","
                            + " a string or an integer of at most " + MAX_ID_DIGITS + " digits");
        }
        return new Message(
                document,
                id,
                method.get(),
                root.members().get(PARAMS.name()) instanceof JsonObject params ? params : NONE);
    }

    private static @Nullable Object id(@Nullable JsonValue sent) {
        return switch (sent) {
            case JsonString(String text) -> text;
            case JsonNumber(String token) when token.matches("-?[0-9]{1," + MAX_ID_DIGITS + "}") -> Long.valueOf(token);
            case null, default -> null;
        };
    }

    private static Optional<String> text(JsonObject object, String name) {
        return object.members().get(name) instanceof JsonString(String text) ? Optional.of(text) : Optional.empty();
    }

    /** A parameter that is a string. */
    Optional<String> param(String name) {
        return text(params, name);
    }

    /** The facts that the client states about itself, in requests of the stateless protocol. */
    JsonObject meta() {
        return params.members().get("_meta") instanceof JsonObject meta ? meta : NONE;
    }

    /** The version of the protocol that {@link #meta} names. */
    Optional<String> metaVersion() {
        return text(meta(), Versions.META + "protocolVersion");
    }

    /** Reads the arguments of a tool; an empty object if none were sent. */
    <T> T arguments(Function<ObjectReader, Optional<T>> reader) {
        JsonDocument read = params.members().containsKey(ARGUMENTS_OF_TOOL.name())
                ? document
                : JsonDocument.parse("{\"params\":{\"arguments\":{}}}".getBytes(StandardCharsets.UTF_8));
        return read.read(in ->
                in.read(PARAMS).flatMap(params -> params.read(ARGUMENTS_OF_TOOL).flatMap(reader)));
    }

    /** A response, with {@code result} or {@code error}. */
    static Map<String, @Nullable Object> response(@Nullable Object id, String member, Object value) {
        Map<String, @Nullable Object> response = new LinkedHashMap<>();
        response.put("jsonrpc", "2.0");
        response.put("id", id);
        response.put(member, value);
        return response;
    }
}
