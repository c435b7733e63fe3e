package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/** Renders errors that the container reports: an error sent by a filter, or an exception that no handler caught. */
@Controller
final class ProblemErrorController implements ErrorController {
    private final ProblemWriter writer;

    ProblemErrorController(ProblemWriter writer) {
        this.writer = writer;
    }

    @RequestMapping("/error")
    void render(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
        String instance = path == null ? request.getRequestURI() : path.toString();
        writer.write(problemOf(request), instance, request, response);
    }

    private static ProblemException problemOf(HttpServletRequest request) {
        if (!(request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer status)) {
            return ProblemAdvice.ofStatus(404, new IllegalStateException("not an error dispatch"));
        }
        Throwable failure = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Throwable thrown
                ? thrown
                : new IllegalStateException("status " + status + " without an exception");
        return failure instanceof ProblemException problem ? problem : ProblemAdvice.ofStatus(status, failure);
    }
}
