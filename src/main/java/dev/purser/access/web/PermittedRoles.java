package dev.purser.access.web;

import dev.purser.access.OperationRoles;
import dev.purser.access.Role;
import io.swagger.v3.oas.models.Operation;
import java.util.List;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;

/** Adds the permitted roles to every operation, as the member {@code x-roles}. */
@Component
class PermittedRoles implements GlobalOperationCustomizer {
    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        List<String> roles =
                OperationRoles.of(handler).stream().map(Role::label).toList();
        operation.addExtension("x-roles", roles);
        String line = "For the roles: " + String.join(", ", roles) + ".";
        String description = operation.getDescription();
        operation.setDescription(description == null ? line : description + "\n\n" + line);
        return operation;
    }
}
