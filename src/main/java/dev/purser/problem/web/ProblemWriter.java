package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a problem as the whole response, and counts it as {@code purser.problems}. It ignores the Accept header,
 * because a refusal has only one form. The problem becomes an attribute of the request, with the name of its class, for
 * the log and the metrics.
 */
@Component
final class ProblemWriter {
    private final JsonMapper json;
    private final Map<ProblemType, Counter> counters = new EnumMap<>(ProblemType.class);

    ProblemWriter(JsonMapper json, MeterRegistry meters) {
        this.json = json;
        for (ProblemType type : ProblemType.values()) {
            counters.put(type, meters.counter("purser.problems", "type", type.slug()));
        }
    }

    void write(ProblemException problem, HttpServletRequest request, HttpServletResponse response) throws IOException {
        write(problem, request.getRequestURI(), request, response);
    }

    void write(ProblemException problem, String instance, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        request.setAttribute(ProblemException.class.getName(), problem);
        Objects.requireNonNull(counters.get(problem.recordedType())).increment();
        if (response.isCommitted()) {
            return;
        }
        response.resetBuffer();
        byte[] body = json.writeValueAsBytes(ProblemDocument.of(problem, request.getContextPath(), instance));
        response.setStatus(problem.type().status());
        setHeaders(problem, response);
        response.setHeader("Cache-Control", "no-store");
        response.setContentType(ProblemDocument.MEDIA_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static void setHeaders(ProblemException problem, HttpServletResponse response) {
        problem.retryAfter().ifPresent(wait -> response.setHeader("Retry-After", String.valueOf(wait.toSeconds())));
        problem.offered().ifPresent(offered -> response.setHeader(offering(problem.type()), offered));
        if (problem.type() == ProblemType.UNAUTHORIZED) {
            response.setHeader("WWW-Authenticate", "Bearer");
        }
        if (problem.type() == ProblemType.REQUEST_TIMEOUT) {
            response.setHeader("Connection", "close");
        }
    }

    /** The header that says what is offered instead. */
    private static String offering(ProblemType refused) {
        return refused == ProblemType.METHOD_NOT_ALLOWED ? "Allow" : "Accept";
    }
}
