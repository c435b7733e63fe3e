package dev.purser.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.ServletInvocableHandlerMethod;

/** Lets handlers take the arguments that this service makes of requests, besides the arguments of the framework. */
@Configuration(proxyBeanMethods = false)
class HandlerConfiguration {
    @Bean
    static WebMvcRegistrations handlersWithTypedArguments(
            ObjectProvider<HandlerMethodArgumentResolver> arguments, ObjectProvider<BodyArgument> bodies) {
        return new WebMvcRegistrations() {
            @Override
            public RequestMappingHandlerAdapter getRequestMappingHandlerAdapter() {
                return new Handlers(arguments, bodies);
            }
        };
    }

    private static final class Handlers extends RequestMappingHandlerAdapter {
        private final ObjectProvider<HandlerMethodArgumentResolver> arguments;
        private final ObjectProvider<BodyArgument> bodies;

        Handlers(ObjectProvider<HandlerMethodArgumentResolver> arguments, ObjectProvider<BodyArgument> bodies) {
            this.arguments = arguments;
            this.bodies = bodies;
        }

        /** The service's arguments come first, because the framework would take the service's principal for its own. */
        @Override
        public void afterPropertiesSet() {
            super.afterPropertiesSet();
            List<HandlerMethodArgumentResolver> all =
                    new ArrayList<>(arguments.stream().toList());
            all.addAll(Objects.requireNonNull(getArgumentResolvers()));
            setArgumentResolvers(all);
        }

        @Override
        protected ServletInvocableHandlerMethod createInvocableHandlerMethod(HandlerMethod handler) {
            return Arrays.stream(handler.getMethodParameters())
                    .filter(parameter -> parameter.hasParameterAnnotation(Body.class))
                    .findFirst()
                    .<ServletInvocableHandlerMethod>map(
                            parameter -> bodies.getObject().admitting(handler, parameter))
                    .orElseGet(() -> super.createInvocableHandlerMethod(handler));
        }
    }
}
