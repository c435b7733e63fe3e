package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses a request header that is too large with status 431. The connector's own limit is higher. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class HeaderSizeFilter extends OncePerRequestFilter {
    static final int MAX_BYTES = 16 * 1024;

    private final ProblemWriter writer;

    HeaderSizeFilter(ProblemWriter writer) {
        this.writer = writer;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (sizeOf(request) <= MAX_BYTES) {
            chain.doFilter(request, response);
            return;
        }
        String detail = "request line and header fields must have at most " + MAX_BYTES + " bytes together";
        writer.write(ProblemException.of(ProblemType.HEADER_TOO_LARGE, detail), request, response);
    }

    /** The size as sent, except for white space around values. */
    private static int sizeOf(HttpServletRequest request) {
        String query = request.getQueryString();
        int size = request.getMethod().length()
                + request.getRequestURI().length()
                + (query == null ? 0 : query.length() + 1)
                + request.getProtocol().length()
                + 4;
        for (String name : Collections.list(request.getHeaderNames())) {
            for (String value : Collections.list(request.getHeaders(name))) {
                size += name.length() + value.length() + 4;
            }
        }
        return size;
    }
}
