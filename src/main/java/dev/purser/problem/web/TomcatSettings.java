package dev.purser.problem.web;

import org.apache.catalina.core.StandardHost;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the connector does before the service sees a request. */
@Configuration(proxyBeanMethods = false)
class TomcatSettings {
    /** Of a request at a time: uploads come in fewer pieces. Each connection has so much memory, so there are fewer of them. */
    private static final int READ_BYTES = 1 << 15;

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
                    // A refused upload is refused before the client sends it: it waits for 100 Continue.
                    http.setContinueResponseTiming(ContinueResponseTiming.ON_REQUEST_BODY_READ.toString());
                    // Many clients read no answer before they sent all: what they still send is read and dropped, or
                    // they would
                    // find the connection closed. Not without an end.
                    http.setMaxSwallowSize(2_000_000_000);
                }
                connector.setProperty("socket.appReadBufSize", Integer.toString(READ_BYTES));
            });
        };
    }
}
