package dev.purser.query.web;

import dev.purser.problem.ProblemException;
import dev.purser.query.ChargedKinds;
import dev.purser.query.RefinedQuestions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Times questions ({@code purser.questions}) and quotes ({@code purser.quotes}) by kind and outcome, as their senders
 * see them: with the arrival of the body and every wait. The outcome is {@code answered} or the type of the problem. No
 * label names an analyst, a dataset or a parameter.
 */
@Configuration(proxyBeanMethods = false)
class QuestionTimes implements WebMvcConfigurer {
    private static final String BEGUN = QuestionTimes.class.getName();
    private static final String PLAN = "plan";

    private final MeterRegistry meters;
    private final ChargedKinds kinds;

    QuestionTimes(MeterRegistry meters, ChargedKinds kinds) {
        this.meters = meters;
        this.kinds = kinds;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new Timing("purser.questions", PLAN))
                .addPathPatterns(PlanController.PATH, QuestionController.PATH + "*");
        kinds.ofOthers()
                .forEach(each -> registry.addInterceptor(
                                new Timing("purser.questions", each.kind().name()))
                        .addPathPatterns(each.path()));
        registry.addInterceptor(new Timing("purser.questions", RefinedQuestions.KIND))
                .addPathPatterns(RefinementController.PATH);
        registry.addInterceptor(new Timing("purser.quotes", PLAN))
                .addPathPatterns(QuoteController.PLAN, QuoteController.PATH + "*");
    }

    private final class Timing implements HandlerInterceptor {
        private final String name;
        private final String withoutKind;

        private Timing(String name, String withoutKind) {
            this.name = name;
            this.withoutKind = withoutKind;
        }

        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            if (request.getMethod().equals("POST") && request.getAttribute(BEGUN) == null) {
                request.setAttribute(BEGUN, Timer.start(meters));
            }
            return true;
        }

        @Override
        public void afterCompletion(
                HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
            if (request.getAttribute(BEGUN) instanceof Timer.Sample sample) {
                sample.stop(Timer.builder(name)
                        .description("As their senders see them")
                        .tag("kind", kind(request))
                        .tag("outcome", outcome(request))
                        .serviceLevelObjectives(
                                Duration.ofMillis(10),
                                Duration.ofMillis(100),
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(10))
                        .register(meters));
            }
        }

        /** The path of a quote matches every word. Only kinds that exist are shown. */
        private String kind(HttpServletRequest request) {
            return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables
                            && variables.get("kind") instanceof String kind
                    ? kinds.quoted(kind).map(known -> known.name()).orElse("none")
                    : withoutKind;
        }

        private static String outcome(HttpServletRequest request) {
            return request.getAttribute(ProblemException.class.getName()) instanceof ProblemException problem
                    ? problem.type().slug()
                    : "answered";
        }
    }
}
