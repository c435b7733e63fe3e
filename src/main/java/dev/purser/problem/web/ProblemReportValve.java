package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Reports what the connector itself refuses, before any of the service's own code sees the request. */
public final class ProblemReportValve extends ErrorReportValve {
    private static final JsonMapper JSON = JsonMapper.shared();

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        ProblemException problem = ProblemAdvice.ofStatus(
                status, failure == null ? new IllegalStateException("status " + status) : failure);
        try {
            response.setStatus(problem.type().status());
            response.setContentType(ProblemDocument.MEDIA_TYPE);
            response.setHeader("Cache-Control", "no-store");
            byte[] body = JSON.writeValueAsBytes(ProblemDocument.of(problem, pathOf(request)));
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            response.finishResponse();
        } catch (IOException clientHasGone) {
            getContainer().getLogger().debug("the client left before its error report");
        }
    }

    private static String pathOf(Request request) {
        String path = request.getRequestURI();
        boolean readable = path != null && path.startsWith("/") && path.chars().allMatch(c -> c > ' ' && c < 127);
        return readable ? path : "";
    }
}
