package dev.purser.access;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Checks every request against its operation's {@link PermittedTo}, when the operation is known and before any of its
 * parameters is read.
 */
@Component
final class RoleRules implements WebMvcConfigurer, HandlerInterceptor {
    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        // The container's error dispatch is not an operation of its own.
        registry.addInterceptor(this).excludePathPatterns(AccessRules.PUBLIC).excludePathPatterns("/error");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        // A re-dispatched request was checked at its first dispatch. A handler of another type serves a static file, or
        // nothing.
        if (request.getDispatcherType() == DispatcherType.REQUEST
                && handler instanceof HandlerMethod operation
                && !listsMethods(request, operation)) {
            List<Role> permitted = OperationRoles.of(operation);
            if (Principal.of(request)
                    .map(Principal::role)
                    .filter(permitted::contains)
                    .isEmpty()) {
                throw forbidden(request, permitted);
            }
        }
        return true;
    }

    /**
     * Whether this is the framework's own answer to OPTIONS. It lists the methods of an address, which every key may
     * know.
     */
    private static boolean listsMethods(HttpServletRequest request, HandlerMethod operation) {
        return request.getMethod().equals("OPTIONS") && !operation.hasMethodAnnotation(RequestMapping.class);
    }

    /** The refusal of a key that has none of these roles. It does not show what exists. */
    static ProblemException forbidden(HttpServletRequest request, List<Role> permitted) {
        return ProblemException.of(
                ProblemType.FORBIDDEN,
                "The key's role must be " + permitted.stream().map(Role::label).collect(Collectors.joining(" or "))
                        + ", was "
                        + Principal.of(request)
                                .map(sender -> sender.role().label())
                                .orElse("none"));
    }
}
