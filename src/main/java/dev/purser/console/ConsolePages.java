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
 * The files of the console. They need no key, because they contain only programs. They may load only files of this
 * service, so text of other people that a page shows cannot run as a program.
 */
@Configuration(proxyBeanMethods = false)
class ConsolePages implements WebMvcConfigurer {
    private static final String CONTENT_POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none';"
            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addViewController("/").setViewName("forward:/console/index.html");
    }

    /** Makes browsers check each file again, so that a browser never mixes the files of two releases. */
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

    /** Sets the policy of these files before the filter for all other replies would set its policy. */
    private static final class ContentPolicy implements HandlerInterceptor {
        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            response.setHeader("Content-Security-Policy", CONTENT_POLICY);
            response.setHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
            return true;
        }
    }
}
