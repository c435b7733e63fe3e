package dev.purser.access;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.web.method.HandlerMethod;

/** The roles that an operation permits: the administrator, and the roles of its {@link PermittedTo}. */
public final class OperationRoles {
    private OperationRoles() {}

    public static List<Role> of(HandlerMethod operation) {
        PermittedTo permitted = operation.getMethodAnnotation(PermittedTo.class);
        Stream<Role> named = permitted == null ? Stream.of() : Arrays.stream(permitted.value());
        return Stream.concat(Stream.of(Role.ADMINISTRATOR), named).distinct().toList();
    }
}
