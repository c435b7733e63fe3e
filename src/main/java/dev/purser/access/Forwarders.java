package dev.purser.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Believes {@code X-Forwarded-…} of the proxies that the operator named, and drops it from everybody else. A proxy
 * appends the address that connected to it, and whatever stands before that may be invented. So the sender is the last
 * address that is not a proxy's own.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class Forwarders extends OncePerRequestFilter {
    private static final String SENDER = Forwarders.class.getName() + ".sender";

    private final Set<String> proxies;
    private final ForwardedHeaderFilter believing = new ForwardedHeaderFilter();
    private final ForwardedHeaderFilter dropping = new ForwardedHeaderFilter();

    Forwarders(AccessSettings settings) {
        this.proxies = Set.copyOf(settings.web().forwarders());
        dropping.setRemoveOnly(true);
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean isForwarded = proxies.contains(request.getRemoteAddr());
        request.setAttribute(SENDER, isForwarded ? lastBefore(request) : request.getRemoteAddr());
        (isForwarded ? believing : dropping).doFilter(request, response, chain);
    }

    private String lastBefore(HttpServletRequest request) {
        List<String> addresses = Collections.list(request.getHeaders("X-Forwarded-For")).stream()
                .flatMap(header -> Stream.of(header.split(",", -1)))
                .map(String::strip)
                .toList();
        return addresses.reversed().stream()
                .filter(address -> !proxies.contains(address))
                .findFirst()
                .orElse(request.getRemoteAddr());
    }

    /** The address that the request came from. */
    static String senderOf(HttpServletRequest request) {
        return String.valueOf(Objects.requireNonNullElse(request.getAttribute(SENDER), request.getRemoteAddr()));
    }
}
