package dev.purser.access;

import dev.purser.PurserApplication;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole service with rates that a few requests reach: two requests at once, and one more request each ten seconds.
 * It runs as in a pod of Kubernetes, where Spring Boot by itself would believe invented addresses of senders.
 */
@Tag("full")
class RatesOverHttpTests {
    private static final String ADMINISTRATOR = "0123456789abcdef0123";
    private static final int TIMEOUT_MILLIS = 20_000;

    @TempDir
    private Path folder;

    @AutoClose
    private ConfigurableApplicationContext service;

    private int port;
    private int invented;

    @BeforeEach
    void starts() {
        service = new SpringApplication(PurserApplication.class)
                .run(
                        "--purser.home=" + folder,
                        "--purser.admin-key=" + ADMINISTRATOR,
                        "--server.port=0",
                        "--spring.main.cloud-platform=kubernetes",
                        "--purser.rates.analyst=6",
                        "--purser.rates.failed-sign-ins=6");
        port = Objects.requireNonNull(service.getEnvironment().getProperty("local.server.port", Integer.class));
    }

    /** The answer of the service to a header and the part of the announced body that is sent. */
    private String answer(String method, String path, String key, int announced, String sent) throws IOException {
        String head = method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + key
                + "\r\nX-Forwarded-For: 192.0.2." + ++invented
                + "\r\nContent-Type: " + (method.equals("PUT") ? "text/csv" : "application/json")
                + "\r\nContent-Length: " + announced + "\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write((head + sent).getBytes(StandardCharsets.US_ASCII));
            StringBuilder answer = new StringBuilder();
            // If the body is not sent, the service waits for it before it closes the connection.
            Reader in = new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8);
            for (int next = in.read(); next >= 0; next = in.read()) {
                answer.append((char) next);
                if (next == '}' && sent.length() < announced && answer.indexOf("\r\n\r\n{") > 0) {
                    break;
                }
            }
            return answer.toString();
        }
    }

    private String answer(String method, String path, String key, String body) throws IOException {
        return answer(method, path, key, body.length(), body);
    }

    private String answered(String method, String path, String key, String body) throws IOException {
        String answer = answer(method, path, key, body);
        assertThat(answer).containsPattern("^HTTP/1.1 20[01] ");
        return answer.substring(answer.indexOf("\r\n\r\n"));
    }

    @Test
    void aRequestTooManyIsRefusedBeforeItsBodyIsReadAndChargesNothing() throws IOException {
        String made = answered("POST", "/v1/keys", ADMINISTRATOR, """
                {"name":"ana","role":"analyst","datasets":["*"]}""");
        String ana = JsonMapper.shared()
                .readTree(made.substring(made.indexOf('{'), made.lastIndexOf('}') + 1))
                .get("key")
                .asString();
        answered("POST", "/v1/datasets", ADMINISTRATOR, """
                {"id":"ages","columns":[{"name":"age","type":"integer","lower":0,"upper":125}],"maxRows":100,
                 "privacyUnit":{"type":"row"},"neighboringRelation":"add-or-remove-one","budget":{"epsilon":"10"}}""");
        answered("PUT", "/v1/datasets/ages/data", ADMINISTRATOR, "age\n30\n40\n");
        String ask = "/v1/datasets/ages/queries/count";
        String question = """
                {"epsilon":"1"}""";
        answered("POST", ask, ana, question);
        answered("POST", "/v1/statement", ana, "SELECT 1");
        String ledger = answered("GET", "/v1/datasets/ages/ledger", ADMINISTRATOR, "");
        assertThat(ledger.split("\"analyst\":\"ana\"", -1)).hasSize(2);
        for (String refused : List.of(
                answer("POST", ask, ana, question.length(), question),
                answer("POST", ask, ana, 1_000_000, ""),
                answer("POST", "/v1/statement", ana, 1_000_000, ""),
                answer("GET", "/actuator/prometheus", ana, ""),
                answer("DELETE", "/v1/datasets", ana, ""),
                answer("PUT", ask, ana, ""))) {
            assertThat(refused)
                    .startsWith("HTTP/1.1 429")
                    .containsPattern("(?i)retry-after: [1-9]")
                    .contains("/problems/too-many-requests", "the role analyst may send 6 requests in a minute");
        }
        assertThat(answered("GET", "/v1/datasets/ages/ledger", ADMINISTRATOR, ""))
                .isEqualTo(ledger);
    }

    @Test
    void guessesOfAnAddressAreRefusedAndAValidKeyFromThereNever() throws IOException {
        for (int i = 0; i < 2; i++) {
            assertThat(answer("GET", "/v1/keys/self", "wrong", "")).startsWith("HTTP/1.1 401");
        }
        for (int i = 0; i < 3; i++) {
            assertThat(answer("GET", "/v1/keys/self", "wrong", ""))
                    .startsWith("HTTP/1.1 429")
                    .containsPattern("(?i)retry-after: [1-9]");
            assertThat(answer("GET", "/v1/keys/self", ADMINISTRATOR, "")).startsWith("HTTP/1.1 200");
        }
    }
}
