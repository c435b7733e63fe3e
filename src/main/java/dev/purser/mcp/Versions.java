package dev.purser.mcp;

import dev.purser.json.JsonValue.JsonObject;
import dev.purser.mcp.RpcError.Kind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The versions of the protocol. The current version is stateless: every request states its version and its client's
 * abilities, and repeats in headers what a proxy needs. Of the older versions, only {@code initialize} and tools are
 * served.
 */
final class Versions {
    static final String CURRENT = "2026-07-28";

    /** The older versions, the newest first. */
    static final List<String> OLDER = List.of("2025-11-25", "2025-06-18");

    /** The beginning of the names in {@code _meta}. */
    static final String META = "io.modelcontextprotocol/";

    static final String INITIALIZE = "initialize";
    static final String CALL = "tools/call";

    private Versions() {}

    /**
     * Whether a request is of the current version.
     *
     * @throws RpcError if its headers or its facts about the client are wrong
     */
    static boolean isCurrent(Message message, McpHeaders headers) {
        Optional<String> said = message.metaVersion();
        boolean isOlder =
                headers.version() == null ? message.method().equals(INITIALIZE) : OLDER.contains(headers.version());
        if (said.isEmpty() && isOlder) {
            return false;
        }
        if (said.isEmpty() || !(message.meta().members().get(META + "clientCapabilities") instanceof JsonObject)) {
            throw new RpcError(
                    Kind.INVALID_PARAMS,
                    message.id(),
                    "params._meta must have " + META + "protocolVersion, a string, and " + META
                            + "clientCapabilities, an object; clients of " + String.join(" and ", OLDER)
                            + " call initialize first and say their version in the header MCP-Protocol-Version");
        }
        requireSame(message, "MCP-Protocol-Version", headers.version(), said.get());
        if (!said.get().equals(CURRENT)) {
            throw new RpcError(
                    Kind.UNSUPPORTED_VERSION,
                    message.id(),
                    "Unsupported protocol version",
                    Map.of("supported", List.of(CURRENT), "requested", said.get()));
        }
        requireSame(message, "Mcp-Method", headers.method(), message.method());
        if (message.method().equals(CALL)) {
            requireSame(
                    message, "Mcp-Name", headers.name(), message.param("name").orElse(""));
        }
        return true;
    }

    private static void requireSame(Message message, String header, @Nullable String sent, String said) {
        if (!Objects.equals(sent, said)) {
            throw new RpcError(
                    Kind.HEADER_MISMATCH,
                    message.id(),
                    "the header " + header + " must be sent, and must equal what the body says");
        }
    }
}
