package dev.purser.problem.web;

import dev.purser.problem.FatalErrors;
import dev.purser.problem.ProblemException;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.http11.Http11InputBuffer;
import org.apache.tomcat.util.res.StringManager;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Reports the refusals of the connector itself, before any code of the service sees the request. */
public final class ProblemReportValve extends ErrorReportValve {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The connector answers 400 with this message. Only the message distinguishes it from other bad requests. */
    private static final String HEADER_TOO_LARGE =
            StringManager.getManager(Http11InputBuffer.class).getString("iib.requestheadertoolarge.error");

    /** This valve is behind the filters. The connector only logs a failure that gets past this valve. */
    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        try {
            // A request line that is not well-formed has no protocol.
            if ("".equals(request.getProtocol())) {
                // HTTP/0.9, which has neither headers nor a status.
                response.sendError(400);
                response.setSuspended(false);
                report(request, response, null);
                return;
            }
            super.invoke(request, response);
        } catch (Error error) {
            FatalErrors.check(error);
            throw error;
        }
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        ProblemException problem = problemOf(status, failure);
        request.setAttribute(ProblemException.class.getName(), problem);
        try {
            response.setStatus(problem.type().status());
            response.setContentType(ProblemDocument.MEDIA_TYPE);
            response.setHeader("Cache-Control", "no-store");
            byte[] body = JSON.writeValueAsBytes(ProblemDocument.of(problem, "", pathOf(request)));
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            response.finishResponse();
        } catch (IOException clientHasGone) {
            getContainer().getLogger().debug("the client left before its error report");
        }
    }

    private static ProblemException problemOf(int status, @Nullable Throwable failure) {
        if (failure == null) {
            return ProblemAdvice.ofStatus(status, new IllegalStateException("status " + status));
        }
        return ProblemAdvice.ofStatus(HEADER_TOO_LARGE.equals(failure.getMessage()) ? 431 : status, failure);
    }

    private static String pathOf(Request request) {
        String path = request.getRequestURI();
        boolean readable = path != null && path.startsWith("/") && path.chars().allMatch(c -> c > ' ' && c < 127);
        return readable ? path : "";
    }
}
