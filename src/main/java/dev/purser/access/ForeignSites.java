package dev.purser.access;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Refuses what a page of another site lets a browser change. A proxy that signs people in adds their credential to
 * every request of their browser, whoever caused it. Browsers state who did: in {@code Sec-Fetch-Site} where the
 * connection is encrypted, and otherwise in {@code Origin}. A program that is no browser sends neither.
 */
final class ForeignSites extends OncePerRequestFilter {
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    /** Of a page of this service, or of a person who typed the address. */
    private static final Set<String> OWN = Set.of("same-origin", "none");

    private final List<String> allowed;
    private final HandlerExceptionResolver problems;

    /** @param allowed the origins whose pages may call the service */
    ForeignSites(List<String> allowed, HandlerExceptionResolver problems) {
        this.allowed = allowed;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (READING.contains(request.getMethod()) || isPermitted(request)) {
            chain.doFilter(request, response);
            return;
        }
        problems.resolveException(
                request,
                response,
                null,
                ProblemException.of(
                        ProblemType.FORBIDDEN,
                        "a page of another site may not change anything here (purser.web.allowed-origins)"));
    }

    private boolean isPermitted(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        if (origin != null && allowed.contains(origin)) {
            return true;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        return site != null ? OWN.contains(site) : origin == null || isOfThisService(origin, request);
    }

    /** A proxy may have ended the encryption, so the scheme is not compared. */
    private static boolean isOfThisService(String origin, HttpServletRequest request) {
        int port = request.getServerPort();
        String own = request.getServerName() + (port == 80 || port == 443 ? "" : ":" + port);
        return origin.equalsIgnoreCase("http://" + own) || origin.equalsIgnoreCase("https://" + own);
    }
}
