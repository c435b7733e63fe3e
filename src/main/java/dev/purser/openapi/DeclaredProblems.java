package dev.purser.openapi;

import dev.purser.problem.Refuses;
import io.swagger.v3.oas.models.Operation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;

/**
 * Keeps the problems that a method {@link Refuses} with its operation, until the responses are described. They are a
 * member of the operation, because the operations of the kinds of questions replace an operation and take its members.
 */
@Component
class DeclaredProblems implements GlobalOperationCustomizer {
    private static final String MEMBER = "x-refuses";

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        Refuses declared = handler.getMethodAnnotation(Refuses.class);
        if (declared != null) {
            operation.addExtension(MEMBER, Set.of(declared.value()));
        }
        return operation;
    }

    /** The problems kept with {@code operation}. The member is not served. */
    static Set<?> takenFrom(Operation operation) {
        if (operation.getExtensions() == null) {
            return Set.of();
        }
        // This is a copy, because several operations have the same map.
        Map<String, Object> others = new LinkedHashMap<>(operation.getExtensions());
        Object declared = others.remove(MEMBER);
        operation.setExtensions(others);
        return declared instanceof Set<?> problems ? problems : Set.of();
    }
}
