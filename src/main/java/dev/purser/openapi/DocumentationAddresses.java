package dev.purser.openapi;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The addresses under which people and tools look for the description. */
@Configuration(proxyBeanMethods = false)
class DocumentationAddresses implements WebMvcConfigurer {
    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addViewController("/openapi.json").setViewName("forward:/openapi");
        registry.addRedirectViewController("/", "/docs");
    }
}
