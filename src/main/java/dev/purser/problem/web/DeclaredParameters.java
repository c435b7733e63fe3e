package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.QueryParameters;
import dev.purser.problem.Violation;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Refuses query parameters that the operation does not declare with {@link RequestParam} or {@link QueryParameters},
 * and parameters that are sent twice but may be sent only once. A misspelled filter would otherwise show more than was
 * asked for, and one of two filters would be ignored.
 */
@Configuration(proxyBeanMethods = false)
class DeclaredParameters implements WebMvcConfigurer {
    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        // The role is checked before: its interceptor has the order 0.
        registry.addInterceptor(new Check()).addPathPatterns("/v1/**").order(1);
    }

    private static final class Check implements HandlerInterceptor {
        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            Map<String, String[]> sent = request.getParameterMap();
            // The framework's own answer to OPTIONS has no mapping.
            if (!sent.isEmpty()
                    && handler instanceof HandlerMethod operation
                    && operation.hasMethodAnnotation(RequestMapping.class)) {
                refuse(sent, declared(operation));
            }
            return true;
        }

        private static void refuse(Map<String, String[]> sent, SortedMap<String, Boolean> declared) {
            String rule = declared.isEmpty()
                    ? "none is known here"
                    : "the parameters here are " + String.join(", ", declared.keySet());
            List<Violation> violations = new ArrayList<>();
            sent.forEach((name, values) -> {
                Boolean takesMany = declared.get(name);
                if (takesMany == null) {
                    violations.add(Violation.ofParameter(name, "unknown parameter \"" + name + "\"; " + rule));
                } else if (!takesMany && values.length > 1) {
                    violations.add(Violation.ofParameter(
                            name, name + " may be sent once, was sent " + values.length + " times"));
                }
            });
            if (!violations.isEmpty()) {
                throw ProblemException.validation(violations);
            }
        }

        private static Stream<String> names(Parameter parameter) {
            QueryParameters made = parameter.getType().getAnnotation(QueryParameters.class);
            if (made != null) {
                return Arrays.stream(made.value());
            }
            return parameter.isAnnotationPresent(RequestParam.class) ? Stream.of(parameter.getName()) : Stream.of();
        }

        /** The parameters that an operation has, and whether each may be sent several times. */
        private static SortedMap<String, Boolean> declared(HandlerMethod operation) {
            SortedMap<String, Boolean> declared = new TreeMap<>();
            for (Parameter parameter : operation.getMethod().getParameters()) {
                names(parameter)
                        .forEach(name -> declared.put(name, parameter.getType().isArray()));
            }
            return declared;
        }
    }
}
