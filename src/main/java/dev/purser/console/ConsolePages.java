package dev.purser.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * The files of the console. They need no key, because they contain nothing but programs. What they may load is this
 * service's own: a page that shows text of others can run none of it.
 */
@Configuration(proxyBeanMethods = false)
class ConsolePages implements WebMvcConfigurer {
    private static final String CONTENT_POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none';"
            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addViewController("/").setViewName("forward:/console/index.html");
    }

    /** Asks for each file again, so that a browser never mixes the files of two releases. */
    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/console/**")
                .addResourceLocations("classpath:/console/")
                .setCacheControl(CacheControl.noCache())
                .resourceChain(true)
                .addResolver(new CompressedFiles());
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new ContentPolicy()).addPathPatterns("/", "/console/**");
    }

    /** Stands before the policy that all other replies get. */
    private static final class ContentPolicy implements HandlerInterceptor {
        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            response.setHeader("Content-Security-Policy", CONTENT_POLICY);
            response.setHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
            return true;
        }
    }
}
