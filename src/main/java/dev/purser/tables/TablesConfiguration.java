package dev.purser.tables;

import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The configured connections, each tried once at start. */
@Configuration(proxyBeanMethods = false)
class TablesConfiguration {
    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(10);

    @Bean
    TableConnections tableConnections(TableSettings settings) {
        TableConnections connections = new TableConnections(settings.connections());
        connections.all().forEach(connection -> connection.check(CHECK_TIMEOUT));
        return connections;
    }
}
