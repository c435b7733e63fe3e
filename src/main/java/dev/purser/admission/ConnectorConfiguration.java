package dev.purser.admission;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Installs the connector. */
@Configuration(proxyBeanMethods = false)
class ConnectorConfiguration {
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> limitedConnector(
            @Value("${purser.requests.max-connections-per-address:0}") int perAddress) {
        return factory -> {
            factory.setProtocol(LimitedConnector.class.getName());
            factory.addConnectorCustomizers(connector -> {
                if (connector.getProtocolHandler() instanceof LimitedConnector limited) {
                    limited.limit(Runtime.getRuntime().maxMemory(), perAddress);
                }
            });
        };
    }
}
