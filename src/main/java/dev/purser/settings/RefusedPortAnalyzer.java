package dev.purser.settings;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.core.env.Environment;

/** Makes Spring Boot print that the number in {@code server.port} cannot be a port. */
final class RefusedPortAnalyzer extends AbstractFailureAnalyzer<WebServerException> {
    private final Environment settings;

    RefusedPortAnalyzer(Environment settings) {
        this.settings = settings;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, WebServerException failure) {
        // Other failures of the server, such as a port in use, have other types, and Spring Boot explains them.
        return findCause(failure, IllegalArgumentException.class) == null
                ? null
                : new FailureAnalysis(
                        "server.port must be from 0 to 65535, was " + settings.getProperty("server.port") + ".",
                        "Correct the setting. docs/operating.md lists all settings with what they may be.",
                        failure);
    }
}
