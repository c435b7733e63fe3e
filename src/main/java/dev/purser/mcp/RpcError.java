package dev.purser.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/**
 * A message that breaks the protocol. The refusal of a tool is not an error but a result, {@link ToolResult#refused}.
 */
final class RpcError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Kinds of errors, with the codes of JSON-RPC and of the protocol. */
    enum Kind {
        PARSE_ERROR(-32700, HttpStatus.BAD_REQUEST),
        INVALID_REQUEST(-32600, HttpStatus.BAD_REQUEST),
        METHOD_NOT_FOUND(-32601, HttpStatus.NOT_FOUND),
        INVALID_PARAMS(-32602, HttpStatus.BAD_REQUEST),
        HEADER_MISMATCH(-32020, HttpStatus.BAD_REQUEST),
        UNSUPPORTED_VERSION(-32022, HttpStatus.BAD_REQUEST);

        private final int code;
        private final HttpStatus status;

        Kind(int code, HttpStatus status) {
            this.code = code;
            this.status = status;
        }

        /** The member {@code error} of a response. */
        Map<String, Object> written(String message) {
            Map<String, Object> error = new LinkedHashMap<>();
            error.put("code", code);
            error.put("message", message);
            return error;
        }
    }

    private final Kind kind;
    private final transient @Nullable Object id;
    private final transient Map<String, ?> data;

    /** @param id the id of the request; null if it has no readable id */
    RpcError(Kind kind, @Nullable Object id, String message) {
        this(kind, id, message, Map.of());
    }

    RpcError(Kind kind, @Nullable Object id, String message, Map<String, ?> data) {
        super(message, null, false, false);
        this.kind = kind;
        this.id = id;
        this.data = data;
    }

    ResponseEntity<?> response() {
        Map<String, Object> error = kind.written(String.valueOf(getMessage()));
        if (!data.isEmpty()) {
            error.put("data", data);
        }
        return ResponseEntity.status(kind.status).body(Message.response(id, "error", error));
    }
}
