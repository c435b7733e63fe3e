package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.QueryParameters;
import dev.purser.problem.Violation;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Refuses query parameters that the operation does not declare with {@link RequestParam} or {@link QueryParameters}. A
 * misspelled filter would otherwise show more than was asked for.
 */
@Configuration(proxyBeanMethods = false)
class UnknownParameters implements WebMvcConfigurer {
    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        // The role is checked before: its interceptor has the order 0.
        registry.addInterceptor(new Check()).addPathPatterns("/v1/**").order(1);
    }

    private static final class Check implements HandlerInterceptor {
        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            Set<String> sent = request.getParameterMap().keySet();
            // The framework's own answer to OPTIONS has no mapping.
            if (!sent.isEmpty()
                    && handler instanceof HandlerMethod operation
                    && operation.hasMethodAnnotation(RequestMapping.class)) {
                refuseUnknown(sent, declared(operation));
            }
            return true;
        }

        private static void refuseUnknown(Set<String> sent, Set<String> declared) {
            String rule = declared.isEmpty()
                    ? "none is known here"
                    : "the parameters here are " + String.join(", ", declared);
            List<Violation> unknown = sent.stream()
                    .filter(name -> !declared.contains(name))
                    .map(name -> Violation.ofParameter(name, "unknown parameter \"" + name + "\"; " + rule))
                    .toList();
            if (!unknown.isEmpty()) {
                throw ProblemException.validation(unknown);
            }
        }

        private static Stream<String> names(Parameter parameter) {
            QueryParameters made = parameter.getType().getAnnotation(QueryParameters.class);
            if (made != null) {
                return Arrays.stream(made.value());
            }
            return parameter.isAnnotationPresent(RequestParam.class) ? Stream.of(parameter.getName()) : Stream.of();
        }

        private static Set<String> declared(HandlerMethod operation) {
            return Arrays.stream(operation.getMethod().getParameters())
                    .flatMap(Check::names)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
