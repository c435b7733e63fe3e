package dev.purser.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Logs the addresses and the place of the key for the operator, never the key itself. */
@Component
final class StartupLines {
    private static final Logger LOG = LoggerFactory.getLogger("dev.purser");

    private final AdministratorKey key;
    private final ServerProperties server;
    private final Environment environment;

    StartupLines(AdministratorKey key, ServerProperties server, Environment environment) {
        this.key = key;
        this.server = server;
        this.environment = environment;
    }

    @EventListener(ApplicationReadyEvent.class)
    void print() {
        String port = environment.getProperty("local.server.port");
        if (port == null) {
            return; // The service was started without a web server.
        }
        boolean hasTls = server.getSsl() != null && server.getSsl().isEnabled();
        String address = (hasTls ? "https://" : "http://") + host() + ":" + port;
        LOG.info("Administrator key: {}", key.origin());
        LOG.info("Listening on {}", address);
        LOG.info("Documentation: {}/docs", address);
    }

    private String host() {
        InetAddress address = server.getAddress();
        if (address == null || address.isAnyLocalAddress()) {
            return "localhost";
        }
        String host = address.getHostAddress();
        return address instanceof Inet6Address ? "[" + host + "]" : host;
    }
}
