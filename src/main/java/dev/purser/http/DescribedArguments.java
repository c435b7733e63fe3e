package dev.purser.http;

import dev.purser.openapi.Schemas;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import java.util.List;
import org.springdoc.core.customizers.GlobalOperationComponentsCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;

/** Describes the requests of an operation by the arguments of its handler. */
@Component
final class DescribedArguments implements GlobalOperationComponentsCustomizer {
    private final List<TypedArgument<?>> arguments;
    private final BodyArgument bodies;

    DescribedArguments(List<TypedArgument<?>> arguments, BodyArgument bodies) {
        this.arguments = arguments;
        this.bodies = bodies;
        // The library would take them for query parameters.
        SpringDocUtils.getConfig()
                .addRequestWrapperToIgnore(
                        arguments.stream().map(TypedArgument::type).toArray(Class<?>[]::new));
    }

    @Override
    public Operation customize(Operation operation, Components components, HandlerMethod handler) {
        Schemas schemas = new Schemas(components);
        for (MethodParameter parameter : handler.getMethodParameters()) {
            arguments.stream()
                    .filter(argument -> argument.supportsParameter(parameter))
                    .forEach(argument -> argument.describe(operation, parameter));
            if (bodies.supportsParameter(parameter)) {
                bodies.form(parameter).describe(operation, schemas);
            }
        }
        return operation;
    }

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        return operation;
    }
}
