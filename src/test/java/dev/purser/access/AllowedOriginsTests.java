package dev.purser.access;

import dev.purser.store.StartupRefusal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AllowedOriginsTests {
    @Test
    void takesOriginsAsBrowsersSendThem() {
        List<String> sent = List.of("https://dashboard.example", "http://localhost:3000", "http://[::1]:8080");
        assertThat(new AllowedOrigins(sent, List.of()).allowedOrigins()).isEqualTo(sent);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "null",
                "",
                "dashboard.example",
                "https://dashboard.example/",
                "https://*.example",
                "https://Dashboard.example",
                "https://dashboard.example:443",
                "http://dashboard.example:80",
                "file://"
            })
    void refusesWhatNoBrowserSendsAndWhatIsNoSingleSite(String origin) {
        assertThatThrownBy(() -> new AllowedOrigins(List.of(origin), List.of()))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining(origin);
    }

    @ParameterizedTest
    @ValueSource(strings = {"proxy.internal", "10.0.0.0/8", "", "localhost"})
    void refusesProxiesThatAreNoAddresses(String proxy) {
        assertThatThrownBy(() -> new AllowedOrigins(List.of(), List.of("10.0.0.7", "fd00::7", proxy)))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("purser.web.forwarders must be addresses, was " + proxy + ".");
    }
}
