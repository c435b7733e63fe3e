package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/** Sends a problem document for unknown addresses below the health check, because the actuator sends no body. */
@ControllerAdvice
final class HealthPaths implements ResponseBodyAdvice<Object> {
    @Override
    public boolean supports(MethodParameter returned, Class<? extends HttpMessageConverter<?>> converter) {
        return returned.getContainingClass().getName().startsWith("org.springframework.boot.");
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter returned,
            MediaType type,
            Class<? extends HttpMessageConverter<?>> converter,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        if (body == null
                && response instanceof ServletServerHttpResponse servlet
                && servlet.getServletResponse().getStatus() == 404) {
            throw ProblemException.of(ProblemType.NOT_FOUND, "There is nothing at this address");
        }
        return body;
    }
}
