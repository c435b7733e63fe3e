package dev.purser.http;

import dev.purser.openapi.Schemas;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.PathParameter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Makes the arguments of one type from requests. A handler that takes a body has its arguments made twice: before the
 * body is read, so that no body is read for a request that will be refused, and again when the body is there, because
 * it can arrive slowly. The second ones are what the handler gets.
 */
public abstract class TypedArgument<T> implements HandlerMethodArgumentResolver {
    private final Class<T> type;

    protected TypedArgument(Class<T> type) {
        this.type = type;
    }

    /** Finds what a variable of the path names. */
    @FunctionalInterface
    public interface Named<T> {
        /**
         * What is named.
         *
         * @param before the arguments before it
         * @throws dev.purser.problem.ProblemException if there is none, or none for who asks
         */
        T of(String name, HandlerArguments before, MethodParameter parameter);
    }

    /** An argument that a variable of the path names. It comes after those that it depends on. */
    public static <T> TypedArgument<T> inPath(String variable, Class<T> type, Named<T> named) {
        return new TypedArgument<>(type) {
            @Override
            protected T of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
                Map<?, ?> variables = (Map<?, ?>)
                        Objects.requireNonNull(request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE));
                return named.of(String.valueOf(variables.get(variable)), HandlerArguments.of(request), parameter);
            }

            /** Variables come first. Handlers of one path and method, for several media types, share the operation. */
            @Override
            protected void describe(Operation operation, MethodParameter parameter) {
                List<Parameter> parameters = new ArrayList<>(
                        List.of(new PathParameter().name(variable).schema(Schemas.typed("string"))));
                if (operation.getParameters() != null) {
                    operation.getParameters().stream()
                            .filter(other -> !other.getName().equals(variable))
                            .forEach(parameters::add);
                }
                operation.setParameters(parameters);
            }
        };
    }

    /**
     * The argument.
     *
     * @throws dev.purser.problem.ProblemException if the request is refused for it
     */
    protected abstract T of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter)
            throws Exception;

    /** Adds to the description of an operation what its requests need for this argument; nothing by default. */
    protected void describe(Operation operation, MethodParameter parameter) {}

    /** The Java type of the argument. */
    final Class<T> type() {
        return type;
    }

    @Override
    public final boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == type;
    }

    @Override
    public final T resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer view,
            NativeWebRequest web,
            @Nullable WebDataBinderFactory binders)
            throws Exception {
        HttpServletRequest request = Objects.requireNonNull(web.getNativeRequest(HttpServletRequest.class));
        HttpServletResponse response = Objects.requireNonNull(web.getNativeResponse(HttpServletResponse.class));
        T made = of(request, response, parameter);
        request.setAttribute(type.getName(), made);
        return made;
    }

    /** Whether the arguments are made for the second time: the body has arrived. */
    protected static boolean hasArrived() {
        return AdmittedHandler.BODY.isBound();
    }
}
