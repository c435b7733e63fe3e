package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The members of a problem document (RFC 9457), in their written order. */
final class ProblemDocument {
    static final String MEDIA_TYPE = "application/problem+json";

    private ProblemDocument() {}

    /** @param prefix the prefix under which clients see this service; empty for none */
    static Map<String, Object> of(ProblemException problem, String prefix, String instance) {
        Map<String, Object> document = new LinkedHashMap<>();
        ProblemType type = problem.type();
        document.put("type", prefix + type.uri());
        document.put("title", type.title());
        document.put("status", type.status());
        document.put("detail", problem.detail());
        document.put("instance", instance);
        List<Violation> violations = problem.violations();
        if (!violations.isEmpty()) {
            document.put(
                    "errors", violations.stream().map(ProblemDocument::error).toList());
        }
        problem.members().forEach(document::putIfAbsent);
        return document;
    }

    private static Map<String, String> error(Violation violation) {
        Map<String, String> error = new LinkedHashMap<>();
        error.put(violation.place().name().toLowerCase(Locale.ROOT), violation.location());
        error.put("detail", violation.detail());
        return error;
    }
}
