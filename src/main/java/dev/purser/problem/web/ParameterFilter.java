package dev.purser.problem.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses a query string that the container cannot decode, or with too many parameters, before anything else reads it.
 * Otherwise the request would fail wherever a parameter happens to be read first.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
final class ParameterFilter extends OncePerRequestFilter {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final ProblemWriter writer;

    ParameterFilter(ProblemWriter writer) {
        this.writer = writer;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (isWellFormed(request)) {
            chain.doFilter(request, response);
        } else {
            writer.write(ProblemAdvice.malformedParameters(), request, response);
        }
    }

    /** The parameters of a form are in its body, which is not read: no operation takes a form. */
    private static boolean isWellFormed(HttpServletRequest request) {
        String type = request.getContentType();
        if (request.getQueryString() == null
                || type != null && type.toLowerCase(Locale.ROOT).contains(FORM)) {
            return true;
        }
        try {
            request.getParameterMap();
            return true;
        } catch (InvalidParameterException malformed) {
            return false;
        }
    }
}
