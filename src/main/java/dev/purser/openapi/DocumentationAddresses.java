package dev.purser.openapi;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The usual addresses of the description, for people and tools. */
@Configuration(proxyBeanMethods = false)
class DocumentationAddresses implements WebMvcConfigurer {
    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addViewController("/openapi.json").setViewName("forward:/openapi");
        registry.addRedirectViewController("/", "/docs");
    }
}
