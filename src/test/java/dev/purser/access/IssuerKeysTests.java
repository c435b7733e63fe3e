package dev.purser.access;

import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An issuer whose name ends with a slash, on a server that serves only its exact addresses. */
class IssuerKeysTests {
    private Instant now = Instant.now();
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
    private HttpServer server;
    private String issuer;
    private String published;
    private volatile boolean isDown;

    @BeforeEach
    void starts() throws Exception {
        published = new JWKSet(new ECKeyGenerator(Curve.P_256).keyID("one").generate()).toString();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        issuer = "http://localhost:" + server.getAddress().getPort() + "/realm/";
        server.createContext("/", this::serve);
        server.start();
    }

    @AfterEach
    void stops() {
        server.stop(0);
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String reply = switch (exchange.getRequestURI().getPath()) {
                case "/realm/.well-known/openid-configuration" ->
                    JsonMapper.shared().writeValueAsString(Map.of("issuer", issuer, "jwks_uri", issuer + "keys"));
                case "/realm/keys" -> published;
                default -> "";
            };
            byte[] body = reply.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isDown || reply.isEmpty() ? 404 : 200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static List<JWK> asked(IssuerKeys keys, String id) throws Exception {
        return keys.get(new JWKSelector(new JWKMatcher.Builder().keyID(id).build()), null);
    }

    @Test
    void theAddressOfAnIssuerWithASlashHasOneSlash() throws Exception {
        assertThat(asked(new IssuerKeys(issuer, clock), "one")).hasSize(1);
    }

    /** Anybody can send an unknown key id in the last minute of the known keys. */
    @Test
    void anUnknownKeyThatCannotBeFetchedDoesNotPutOffTheRenewalOfTheOthers() throws Exception {
        IssuerKeys keys = new IssuerKeys(issuer, clock);
        assertThat(asked(keys, "one")).hasSize(1);
        now = now.plus(Duration.ofMinutes(5).minusSeconds(1));
        isDown = true;
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> asked(keys, "unknown")).isInstanceOf(RemoteKeySourceException.class);
        }
        isDown = false;
        assertThat(asked(keys, "one")).hasSize(1);
        now = now.plus(Duration.ofSeconds(6));
        assertThat(asked(keys, "one")).hasSize(1);
        assertThat(asked(keys, "unknown")).isEmpty();
    }
}
