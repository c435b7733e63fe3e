package dev.purser.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Believes {@code X-Forwarded-…} of the proxies that the operator named, and drops it from everybody else. A proxy
 * appends the address that connected to it, and the addresses before it may be invented. So the sender is the last
 * address that is not the address of a proxy.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class Forwarders extends OncePerRequestFilter {
    private static final String SENDER = Forwarders.class.getName() + ".sender";

    private final Set<InetAddress> proxies;
    private final ForwardedHeaderFilter believing = new ForwardedHeaderFilter();
    private final ForwardedHeaderFilter dropping = new ForwardedHeaderFilter();

    Forwarders(AccessSettings settings) {
        this.proxies = settings.web().forwarders().stream()
                .flatMap(proxy -> Literals.address(proxy).stream())
                .collect(Collectors.toUnmodifiableSet());
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
        Optional<InetAddress> connected = Literals.address(request.getRemoteAddr());
        boolean isForwarded = connected.filter(proxies::contains).isPresent();
        Optional<InetAddress> sender = isForwarded ? lastBefore(request).or(() -> connected) : connected;
        request.setAttribute(SENDER, sender.map(Literals::sender).orElse(request.getRemoteAddr()));
        if (isForwarded) {
            believing.doFilter(
                    new SafelyForwarded(request),
                    response,
                    (seen, reply) -> chain.doFilter(
                            seen,
                            new UnderPrefix(
                                    (HttpServletResponse) reply, ((HttpServletRequest) seen).getContextPath())));
        } else {
            dropping.doFilter(request, response, chain);
        }
    }

    /** Adds the proxy's prefix to addresses of the API in headers. Redirects already have the prefix. */
    private static final class UnderPrefix extends HttpServletResponseWrapper {
        private final String prefix;

        UnderPrefix(HttpServletResponse response, String prefix) {
            super(response);
            this.prefix = prefix;
        }

        @Override
        public void addHeader(String name, String value) {
            super.addHeader(name, seen(name, value));
        }

        @Override
        public void setHeader(String name, String value) {
            super.setHeader(name, seen(name, value));
        }

        private String seen(String name, String value) {
            boolean isLocation = name.equalsIgnoreCase("Location") && value.startsWith("/v1/");
            boolean isLink = name.equalsIgnoreCase("Link") && value.startsWith("</v1/");
            return isLocation ? prefix + value : isLink ? "<" + prefix + value.substring(1) : value;
        }
    }

    /**
     * The last address that is not a proxy's. Empty if there is none, or if a text that is no address comes after it.
     */
    private Optional<InetAddress> lastBefore(HttpServletRequest request) {
        List<String> addresses = Collections.list(request.getHeaders("X-Forwarded-For")).stream()
                .flatMap(header -> Stream.of(header.split(",", -1)))
                .map(String::strip)
                .toList();
        return addresses.reversed().stream()
                .map(Literals::address)
                .filter(address -> address.filter(proxies::contains).isEmpty())
                .findFirst()
                .flatMap(address -> address);
    }

    /** The name under which the sender of a request is counted: its address, or the network of an IPv6 address. */
    static String senderOf(HttpServletRequest request) {
        return String.valueOf(Objects.requireNonNullElse(request.getAttribute(SENDER), request.getRemoteAddr()));
    }
}
