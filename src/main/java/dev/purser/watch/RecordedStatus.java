package dev.purser.watch;

import dev.purser.problem.ProblemException;
import io.micrometer.common.KeyValue;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.server.observation.DefaultServerRequestObservationConvention;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.stereotype.Component;

/**
 * The status of a response as the log and the metric {@code http.server.requests} show it. For a refusal this is the
 * status of its {@linkplain ProblemException#recordedType recorded type}, which does not depend on rows.
 */
@Component
final class RecordedStatus extends DefaultServerRequestObservationConvention {
    @Override
    protected KeyValue status(ServerRequestObservationContext context) {
        HttpServletRequest request = context.getCarrier();
        HttpServletResponse response = context.getResponse();
        return request == null || response == null
                ? super.status(context)
                : KeyValue.of("status", Integer.toString(of(request, response.getStatus())));
    }

    /** @param sent the status of the response */
    static int of(HttpServletRequest request, int sent) {
        return sent >= 400 && request.getAttribute(ProblemException.class.getName()) instanceof ProblemException refusal
                ? refusal.recordedType().status()
                : sent;
    }
}
