package dev.purser.admission;

import dev.purser.json.RequestLimits;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Installs the connector. */
@Configuration(proxyBeanMethods = false)
class ConnectorConfiguration {
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> limitedConnector(RequestLimits limits) {
        return factory -> {
            factory.setProtocol(LimitedConnector.class.getName());
            factory.addConnectorCustomizers(connector -> {
                if (connector.getProtocolHandler() instanceof LimitedConnector limited) {
                    limited.limit(Runtime.getRuntime().maxMemory(), limits.maxConnectionsPerAddress());
                }
            });
        };
    }
}
