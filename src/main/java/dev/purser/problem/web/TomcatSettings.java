package dev.purser.problem.web;

import org.apache.catalina.core.StandardHost;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Settings of the connector, which apply before the service sees a request. */
@Configuration(proxyBeanMethods = false)
class TomcatSettings {
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemReports() {
        return factory -> {
            factory.addContextCustomizers(context -> {
                if (context.getParent() instanceof StandardHost host) {
                    host.setErrorReportValveClass(ProblemReportValve.class.getName());
                }
            });
            factory.addConnectorCustomizers(connector -> {
                if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
                    // With 100 Continue, the service can refuse an upload before the client sends it.
                    http.setContinueResponseTiming(ContinueResponseTiming.ON_REQUEST_BODY_READ.toString());
                    // Many clients read no answer until they have sent the whole body, and would find the connection
                    // closed. The rest of the body is therefore read and dropped, up to this limit.
                    http.setMaxSwallowSize(2_000_000_000);
                }
            });
        };
    }
}
