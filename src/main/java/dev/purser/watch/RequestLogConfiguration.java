package dev.purser.watch;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Installs the log of requests in the container. */
@Configuration(proxyBeanMethods = false)
class RequestLogConfiguration {
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> requestLog(MeterRegistry meters) {
        return factory -> factory.addEngineValves(new RequestLog(meters));
    }
}
