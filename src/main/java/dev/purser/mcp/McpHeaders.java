package dev.purser.mcp;

import dev.purser.access.AccessSettings;
import dev.purser.http.TypedArgument;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/** The headers in which a request describes itself; null for each header that is not sent. */
record McpHeaders(
        @Nullable String version,
        @Nullable String method,
        @Nullable String name) {
    /**
     * Reads the headers. A page of another site may not call, because the name of such a site can be made to mean this
     * machine. Pages of the allowed origins may call, and pages of this machine.
     */
    @Component
    static final class Argument extends TypedArgument<McpHeaders> {
        private static final Pattern OF_THIS_MACHINE =
                Pattern.compile("(?:localhost|127\\.0\\.0\\.1|\\[::1])(?::[0-9]{1,5})?");

        private final AccessSettings settings;

        Argument(AccessSettings settings) {
            super(McpHeaders.class);
            this.settings = settings;
        }

        @Override
        protected McpHeaders of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
            String origin = request.getHeader(HttpHeaders.ORIGIN);
            if (origin != null && !isAllowed(origin, request)) {
                throw ProblemException.of(
                        ProblemType.FORBIDDEN, "pages of this origin may not call tools (purser.web.allowed-origins)");
            }
            return new McpHeaders(
                    sent(request, "MCP-Protocol-Version"), sent(request, "Mcp-Method"), sent(request, "Mcp-Name"));
        }

        private boolean isAllowed(String origin, HttpServletRequest request) {
            String host = origin.replaceFirst("^https?://", "");
            return settings.web().allowedOrigins().contains(origin)
                    || OF_THIS_MACHINE.matcher(host).matches() && host.equals(request.getHeader(HttpHeaders.HOST));
        }

        private static @Nullable String sent(HttpServletRequest request, String header) {
            String value = request.getHeader(header);
            return value == null ? null : value.strip();
        }
    }
}
