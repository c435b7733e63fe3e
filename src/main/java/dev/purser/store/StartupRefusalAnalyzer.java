package dev.purser.store;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Lets Spring Boot print a {@link StartupRefusal} as what is wrong and what to do, instead of a stack trace. */
final class StartupRefusalAnalyzer extends AbstractFailureAnalyzer<StartupRefusal> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartupRefusal refusal) {
        return new FailureAnalysis(refusal.getMessage(), refusal.action(), refusal);
    }
}
