package dev.purser.store;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Makes Spring Boot print a {@link StartupRefusal} as its reason and action, without a stack trace. */
final class StartupRefusalAnalyzer extends AbstractFailureAnalyzer<StartupRefusal> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartupRefusal refusal) {
        return new FailureAnalysis(refusal.getMessage(), refusal.action(), refusal);
    }
}
