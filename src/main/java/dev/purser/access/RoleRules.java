package dev.purser.access;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Checks every request against its operation's {@link PermittedTo}, when the operation is known and before any of its
 * parameters is read.
 */
@Configuration(proxyBeanMethods = false)
class RoleRules implements WebMvcConfigurer {
    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        // The container's error dispatch is not an operation of its own.
        registry.addInterceptor(new RoleCheck())
                .excludePathPatterns(AccessRules.PUBLIC)
                .excludePathPatterns("/error");
    }

    /** The refusal of a key that has none of these roles. It says nothing about what exists. */
    static ProblemException forbidden(List<Role> permitted) {
        Principal principal = principal();
        return ProblemException.of(
                ProblemType.FORBIDDEN,
                "The key's role must be " + permitted.stream().map(Role::label).collect(Collectors.joining(" or "))
                        + ", was "
                        + (principal == null ? "none" : principal.role().label()));
    }

    private static @Nullable Principal principal() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication != null && authentication.getPrincipal() instanceof Principal principal
                ? principal
                : null;
    }

    private static final class RoleCheck implements HandlerInterceptor {
        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            // A re-dispatched request was checked at its first dispatch. Any other handler serves a static file, or
            // nothing.
            boolean isFirst = request.getDispatcherType() == DispatcherType.REQUEST;
            if (isFirst
                    && handler instanceof HandlerMethod operation
                    && !listsMethods(request, operation)
                    && !permits(operation, principal())) {
                throw forbidden(OperationRoles.of(operation));
            }
            return true;
        }

        /** The framework's own answer to OPTIONS, which says what methods an address has. Every key may know that. */
        private static boolean listsMethods(HttpServletRequest request, HandlerMethod operation) {
            return request.getMethod().equals("OPTIONS") && !operation.hasMethodAnnotation(RequestMapping.class);
        }

        private static boolean permits(HandlerMethod operation, @Nullable Principal principal) {
            return principal != null && OperationRoles.of(operation).contains(principal.role());
        }
    }
}
