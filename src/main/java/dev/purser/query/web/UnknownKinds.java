package dev.purser.query.web;

import dev.purser.query.QuestionKinds;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Lists the kinds of question if an address names an unknown kind. No operation matches such an address, so it is not
 * found, for every method, role and dataset.
 */
@Configuration(proxyBeanMethods = false)
class UnknownKinds implements WebMvcConfigurer {
    private static final PathPattern ADDRESS =
            PathPatternParser.defaultInstance.parse(QuestionController.PATH + "{kind}");

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new Refusal());
    }

    private static final class Refusal implements HandlerInterceptor {
        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            PathPattern.PathMatchInfo address = ADDRESS.matchAndExtract(
                    ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication());
            if (address != null && !(handler instanceof HandlerMethod)) {
                throw QuestionKinds.unknown(
                        String.valueOf(address.getUriVariables().get("kind")));
            }
            return true;
        }
    }
}
