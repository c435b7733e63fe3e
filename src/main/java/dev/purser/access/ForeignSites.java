package dev.purser.access;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Refuses changes that a page of another site makes a browser request. A proxy that signs people in adds their
 * credential to every request of their browser, even if another site's page caused the request. Browsers state which
 * page caused it: in {@code Sec-Fetch-Site} if the connection is encrypted, and otherwise in {@code Origin}. Other
 * programs send neither header.
 *
 * @param allowed the origins whose pages may call the service
 */
record ForeignSites(List<String> allowed) implements Filter {
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    /** The values for a page of this service, and for a person who typed the address. */
    private static final Set<String> OWN = Set.of("same-origin", "none");

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!isPermitted((HttpServletRequest) request)) {
            throw ProblemException.of(
                    ProblemType.FORBIDDEN,
                    "a page of another site may not change anything here (purser.web.allowed-origins)");
        }
        chain.doFilter(request, response);
    }

    private boolean isPermitted(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        if (READING.contains(request.getMethod()) || origin != null && allowed.contains(origin)) {
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
