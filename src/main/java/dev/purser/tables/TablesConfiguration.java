package dev.purser.tables;

import dev.purser.store.StartupRefusal;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The configured connections, each tried once at start. */
@Configuration(proxyBeanMethods = false)
class TablesConfiguration {
    private static final String PREFIX = "purser.connections";
    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(10);

    @Bean
    TableConnections tableConnections(Environment environment) {
        TableConnections connections = new TableConnections(settings(environment));
        connections.all().forEach(connection -> connection.check(CHECK_TIMEOUT));
        return connections;
    }

    /** An unknown property is refused, because its author expects an effect. */
    private static Map<String, ConnectionSettings> settings(Environment environment) {
        BindHandler strict = new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
        try {
            return Binder.get(environment)
                    .bind(PREFIX, Bindable.mapOf(String.class, ConnectionSettings.class), strict)
                    .orElseGet(Map::of);
        } catch (BindException unreadable) {
            // The cause is left out: it quotes the value, which may be a misplaced password.
            throw new StartupRefusal(
                    "A setting of " + PREFIX + " has a name or a value that is not known: " + names(unreadable) + ".",
                    "The settings of a connection are listed in docs/operating.md.");
        }
    }

    private static String names(BindException unreadable) {
        return unreadable.getCause() instanceof UnboundConfigurationPropertiesException unknown
                ? unknown.getUnboundProperties().stream()
                        .map(property -> property.getName().toString())
                        .collect(Collectors.joining(", "))
                : unreadable.getName().toString();
    }
}
