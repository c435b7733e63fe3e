package dev.purser.session.web;

import dev.purser.access.Principal;
import dev.purser.http.HandlerArguments;
import dev.purser.http.TypedArgument;
import dev.purser.interactive.Interaction;
import dev.purser.session.ThresholdSessions;
import io.swagger.v3.oas.models.Operation;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;

/** The session of a path. It comes after the principal who wants it. */
@Component
final class SessionArgument extends TypedArgument<Interaction> {
    private final ThresholdSessions sessions;

    SessionArgument(ThresholdSessions sessions) {
        super(Interaction.class);
        this.sessions = sessions;
    }

    @Override
    protected Interaction of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
        return sessions.visible(HandlerArguments.of(request).get(Principal.class), inPath(request, "sessionId"));
    }

    @Override
    protected void describe(Operation operation, MethodParameter parameter) {
        describeInPath(operation, "sessionId");
    }
}
