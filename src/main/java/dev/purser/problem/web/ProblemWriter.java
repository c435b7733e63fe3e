package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Writes a problem as the whole response. It ignores the Accept header, because a refusal has only one form. */
@Component
final class ProblemWriter {
    private final JsonMapper json;

    ProblemWriter(JsonMapper json) {
        this.json = json;
    }

    void write(ProblemException problem, HttpServletRequest request, HttpServletResponse response) throws IOException {
        write(problem, request.getRequestURI(), response);
    }

    void write(ProblemException problem, String instance, HttpServletResponse response) throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.resetBuffer();
        byte[] body = json.writeValueAsBytes(ProblemDocument.of(problem, instance));
        response.setStatus(problem.type().status());
        problem.headers().forEach(response::setHeader);
        if (problem.type() == ProblemType.UNAUTHORIZED) {
            response.setHeader("WWW-Authenticate", "Bearer");
        }
        response.setHeader("Cache-Control", "no-store");
        response.setContentType(ProblemDocument.MEDIA_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
