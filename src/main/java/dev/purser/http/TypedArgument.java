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
 * Makes the arguments of one type from requests. For a handler that takes a body, the arguments are made twice. They
 * are made before the body is read, so that no body is read for a request that will be refused. They are made again
 * when the body is there, because it can arrive slowly. The handler gets the second arguments. If the rows of all first
 * arguments are unchanged, {@link #unchanged} makes the second arguments from the first.
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
         * Finds the named thing.
         *
         * @param before the arguments before this argument
         * @throws dev.purser.problem.ProblemException if there is none, or the asker may not see it
         */
        T of(String name, HandlerArguments before, MethodParameter parameter);
    }

    /** Makes the argument of the second look from the argument of the first. */
    @FunctionalInterface
    public interface Unchanged<T> {
        /** As {@link TypedArgument#unchanged}. */
        T of(T first, HandlerArguments before, MethodParameter parameter);
    }

    /** An argument that a variable of the path names. It comes after the arguments that it depends on. */
    public static <T> TypedArgument<T> inPath(String variable, Class<T> type, Named<T> named) {
        return inPath(variable, type, named, null);
    }

    /** As {@link #inPath(String, Class, Named)}, with a second look of its own for unchanged rows. */
    public static <T> TypedArgument<T> inPath(
            String variable, Class<T> type, Named<T> named, @Nullable Unchanged<T> unchanged) {
        return new TypedArgument<>(type) {
            @Override
            protected T of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
                Map<?, ?> variables = (Map<?, ?>)
                        Objects.requireNonNull(request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE));
                return named.of(String.valueOf(variables.get(variable)), HandlerArguments.of(request), parameter);
            }

            @Override
            protected T unchanged(
                    T first, HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
                return unchanged == null
                        ? of(request, response, parameter)
                        : unchanged.of(first, HandlerArguments.of(request), parameter);
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

    /**
     * The argument of the second look, if the rows of all {@link ReadFromRows} arguments of the first
     * look are unchanged. By default it is made again.
     *
     * @throws dev.purser.problem.ProblemException if the request is refused for it now
     */
    protected T unchanged(T first, HttpServletRequest request, HttpServletResponse response, MethodParameter parameter)
            throws Exception {
        return of(request, response, parameter);
    }

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
        T made = AdmittedHandler.isUnchanged()
                ? unchanged(HandlerArguments.of(request).get(type), request, response, parameter)
                : of(request, response, parameter);
        request.setAttribute(type.getName(), made);
        return made;
    }

    /** Whether the arguments are made for the second time: the body has arrived. */
    protected static boolean hasArrived() {
        return AdmittedHandler.ARRIVED.isBound();
    }
}
