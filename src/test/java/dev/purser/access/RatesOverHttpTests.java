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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole service with rates that a few requests reach: two at once, and one more each ten seconds. It runs as in a
 * pod of Kubernetes, where Spring Boot by itself would believe invented addresses of senders.
 */
@Tag("full")
class RatesOverHttpTests {
    private static final String ADMINISTRATOR = "0123456789abcdef0123";
    private static final int TIMEOUT_MILLIS = 20_000;

    @TempDir
    private Path folder;

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

    @AfterEach
    void stops() {
        service.close();
    }

    /** What the service answers to a header, while nothing of the body that it announces was sent. */
    private String answer(String method, String path, String key, int announced, String sent) throws IOException {
        String head = method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + key
                + "\r\nX-Forwarded-For: 192.0.2." + ++invented
                + "\r\nContent-Type: application/json\r\nContent-Length: " + announced + "\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write((head + sent).getBytes(StandardCharsets.US_ASCII));
            StringBuilder answer = new StringBuilder();
            // Not until the end: the service waits for the rest of the body before it closes the connection.
            Reader in = new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8);
            for (int next = in.read(); next >= 0; next = in.read()) {
                answer.append((char) next);
                if (next == '}' && answer.indexOf("\r\n\r\n{") > 0) {
                    break;
                }
            }
            return answer.toString();
        }
    }

    private String answer(String method, String path, String key, String body) throws IOException {
        return answer(method, path, key, body.length(), body);
    }

    @Test
    void aRequestTooManyIsRefusedBeforeItsBodyIsRead() throws IOException {
        String made = answer("POST", "/v1/keys", ADMINISTRATOR, """
                {"name":"ana","role":"analyst","datasets":["*"]}""");
        String ana = JsonMapper.shared()
                .readTree(made.substring(made.indexOf('{'), made.lastIndexOf('}') + 1))
                .get("key")
                .asString();
        String question = """
                {"epsilon":"1"}""";
        assertThat(answer("POST", "/v1/datasets/none/queries/count", ana, question))
                .startsWith("HTTP/1.1 404");
        assertThat(answer("POST", "/v1/statement", ana, "SELECT 1")).startsWith("HTTP/1.1 200");
        for (String path : List.of("/v1/datasets/none/queries/count", "/v1/statement")) {
            assertThat(answer("POST", path, ana, 1_000_000, ""))
                    .startsWith("HTTP/1.1 429")
                    .containsPattern("(?i)retry-after: [1-9]")
                    .contains("/problems/too-many-requests", "the role analyst may send 6 requests in a minute");
        }
        assertThat(answer("GET", "/v1/keys/self", ADMINISTRATOR, "")).startsWith("HTTP/1.1 200");
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
