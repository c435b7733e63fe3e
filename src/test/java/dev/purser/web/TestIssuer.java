package dev.purser.web;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configuration.OAuth2AuthorizationServerConfiguration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.web.SecurityFilterChain;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real identity provider (Spring Authorization Server) in this process. It starts when the first token is asked for.
 * Its address is the address of a small server in front of it, which counts requests and can refuse all of them.
 */
public final class TestIssuer {
    /** The audience of its tokens. */
    public static final String AUDIENCE = "purser";

    private static final HttpServer FRONT = front();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final AtomicInteger FETCHES = new AtomicInteger();
    private static volatile boolean isDown;
    private static volatile List<RSAKey> keys = List.of(newKey("first"));
    private static @Nullable ServletWebServerApplicationContext provider;

    private TestIssuer() {}

    /** The issuer that its tokens name. */
    public static String address() {
        return "http://localhost:" + FRONT.getAddress().getPort();
    }

    /** How often its public keys were fetched. */
    public static int fetches() {
        return FETCHES.get();
    }

    /** Whether every request to it is refused from now on. */
    public static void setDown(boolean down) {
        isDown = down;
    }

    /** The key that it signs with, including the private part. */
    public static RSAKey signingKey() {
        return keys.getFirst();
    }

    /** Signs with another key from now on, and publishes only that key. */
    public static void rotate(String keyId) {
        keys = List.of(newKey(keyId));
    }

    /** A token that the provider issues to this subject. */
    public static String tokenOf(String subject) throws Exception {
        String secret = Base64.getEncoder().encodeToString((subject + ":secret").getBytes(StandardCharsets.US_ASCII));
        HttpResponse<String> reply = CLIENT.send(
                HttpRequest.newBuilder(URI.create(backend() + "/oauth2/token"))
                        .header("Authorization", "Basic " + secret)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("grant_type=client_credentials"))
                        .build(),
                BodyHandlers.ofString());
        if (reply.statusCode() != 200) {
            throw new IOException(reply.statusCode() + " " + reply.body());
        }
        return JsonMapper.shared().readTree(reply.body()).get("access_token").asString();
    }

    private static RSAKey newKey(String keyId) {
        try {
            return new RSAKeyGenerator(2048).keyID(keyId).generate();
        } catch (JOSEException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static HttpServer front() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
            server.createContext("/", TestIssuer::pass);
            server.start();
            return server;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (isDown) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/oauth2/jwks")) {
                FETCHES.incrementAndGet();
            }
            HttpResponse<byte[]> reply = CLIENT.send(
                    HttpRequest.newBuilder(URI.create(backend() + path)).build(), BodyHandlers.ofByteArray());
            exchange.sendResponseHeaders(reply.statusCode(), reply.body().length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(reply.body());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static synchronized String backend() {
        if (provider == null) {
            SpringApplication application = new SpringApplication(Provider.class);
            application.setDefaultProperties(Map.of("spring.config.location", "optional:file:none/"));
            provider = (ServletWebServerApplicationContext) application.run();
        }
        return "http://localhost:" + provider.getWebServer().getPort();
    }

    /** Without the annotation of a configuration, so that the service under test does not find it. */
    @EnableWebSecurity
    static class Provider {
        @Bean
        TomcatServletWebServerFactory server() {
            TomcatServletWebServerFactory server = new TomcatServletWebServerFactory(0);
            server.setRegisterDefaultServlet(true); // without any servlet there are no filters
            return server;
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.oauth2AuthorizationServer(server -> server.oidc(Customizer.withDefaults()))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        @Bean
        AuthorizationServerSettings settings() {
            return AuthorizationServerSettings.builder().issuer(address()).build();
        }

        @Bean
        JWKSource<SecurityContext> signingKeys() {
            return (selector, context) -> selector.select(new JWKSet(List.copyOf(keys)));
        }

        @Bean
        JwtDecoder ownTokens(JWKSource<SecurityContext> keys) {
            return OAuth2AuthorizationServerConfiguration.jwtDecoder(keys);
        }

        @Bean
        OAuth2TokenCustomizer<JwtEncodingContext> audience() {
            return context -> context.getClaims().audience(List.of(AUDIENCE));
        }

        /** Every subject is a client with the same secret. */
        @Bean
        RegisteredClientRepository clients() {
            return new RegisteredClientRepository() {
                /** Does nothing: the provider would store the secret as a slow hash. */
                @Override
                public void save(RegisteredClient client) {}

                @Override
                public RegisteredClient findById(String id) {
                    return findByClientId(id);
                }

                @Override
                public RegisteredClient findByClientId(String id) {
                    return RegisteredClient.withId(id)
                            .clientId(id)
                            .clientSecret("{noop}secret")
                            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                            .tokenSettings(TokenSettings.builder()
                                    .accessTokenTimeToLive(Duration.ofMinutes(30))
                                    .build())
                            .build();
                }
            };
        }
    }
}
