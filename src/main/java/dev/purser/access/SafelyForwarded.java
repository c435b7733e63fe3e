package dev.purser.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request of a proxy without headers that the proxy may have passed on unchecked: {@code Forwarded}, which would take
 * precedence over {@code X-Forwarded-…}, and a prefix that is no path. A prefix becomes a part of addresses, also in
 * JSON.
 */
final class SafelyForwarded extends HttpServletRequestWrapper {
    private static final String PREFIX = "X-Forwarded-Prefix";
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._~-]+)+/?");

    SafelyForwarded(HttpServletRequest request) {
        super(request);
    }

    private boolean isDropped(String name) {
        return name.equalsIgnoreCase("Forwarded")
                || name.equalsIgnoreCase(PREFIX)
                        && Collections.list(super.getHeaders(PREFIX)).stream()
                                .anyMatch(prefix -> !PATH.matcher(prefix).matches());
    }

    @Override
    public @Nullable String getHeader(String name) {
        return isDropped(name) ? null : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return isDropped(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        List<String> names = Collections.list(super.getHeaderNames());
        names.removeIf(this::isDropped);
        return Collections.enumeration(names);
    }
}
