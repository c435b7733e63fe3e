package dev.purser.access;

import dev.purser.store.StartupRefusal;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The sites whose pages may call this service from a browser, as {@code purser.web.allowed-origins}, and the proxies
 * that say who connected to them, as {@code purser.web.forwarders}. Without an origin, no page of another site can call
 * the service. Origins decide nothing else, because every request needs a credential.
 *
 * @param allowedOrigins each a scheme and a host, with a port if it is not the default port, as browsers send it
 * @param forwarders the addresses of the proxies, as the service sees them; {@code X-Forwarded-…} of other senders are
 *     ignored
 */
public record AllowedOrigins(
        @DefaultValue List<String> allowedOrigins,
        @DefaultValue List<String> forwarders) {
    private static final Pattern ORIGIN =
            Pattern.compile("https?://[a-z0-9.-]+(:[0-9]{1,5})?|https?://\\[[0-9a-f:]+]" + "(:[0-9]{1,5})?");

    /** @throws StartupRefusal if an origin or an address has another form */
    public AllowedOrigins {
        for (String origin : allowedOrigins) {
            if (!ORIGIN.matcher(origin).matches() || origin.matches("http:.*:80|https:.*:443")) {
                throw new StartupRefusal(
                        "purser.web.allowed-origins must be origins as browsers send them, was " + origin + ".",
                        "Set it to a list such as https://dashboard.example,http://localhost:3000.");
            }
        }
        for (String proxy : forwarders) {
            if (Literals.address(proxy).isEmpty()) {
                throw new StartupRefusal(
                        "purser.web.forwarders must be addresses, was " + proxy + ".",
                        "Set it to a list such as 10.0.0.7,fd00::7: names and networks are not looked up.");
            }
        }
    }
}
