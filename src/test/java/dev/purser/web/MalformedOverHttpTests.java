package dev.purser.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that are malformed, or ask which methods an address allows: each gets the expected reply, and no request
 * causes a failure.
 */
@ExtendWith(OutputCaptureExtension.class)
class MalformedOverHttpTests extends RunningService {
    /** Sends bytes that a client library would refuse to send, and returns the response with its header. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static List<String> malformed() {
        String parameters = IntStream.rangeClosed(1, 101).mapToObj(i -> "p" + i).collect(Collectors.joining("&"));
        return List.of(
                "/actuator/health?%",
                "/actuator/health?a=%ff",
                "/docs?%",
                "/?a=%ff",
                "/?%zz=1",
                "/problems?=x",
                "/v1/datasets?a=%ff",
                "/v1/datasets?limit=%",
                "/v1/datasets?" + parameters,
                "/docs?" + parameters,
                "/v1/datasets/%",
                "/v1/datasets/%ff",
                "/v1/nothing?%",
                "/actuator/prometheus?%",
                "/actuator/health/%");
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void malformedAddressesAndParametersAreRefusedWithoutAnError(String address, CapturedOutput output)
            throws Exception {
        for (String key : List.of("", "Authorization: Bearer " + key() + "\r\n", "Authorization: Bearer x\r\n")) {
            for (String method : List.of("GET", "POST", "OPTIONS")) {
                String answer = raw(method + " " + address + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + key
                        + "Content-Length: 0\r\n\r\n");
                String[] parts = answer.split("\r\n\r\n", 2);
                assertThat(parts[0]).startsWith("HTTP/1.1 400 ").contains("Content-Type: application/problem+json");
                JsonNode problem = JsonMapper.shared().readTree(parts[1]);
                assertThat(problem.get("type").asString()).isEqualTo("/problems/malformed-request");
            }
        }
        assertThat(output.getAll()).doesNotContain("ERROR", "WARN", "Exception", "\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000\u0001garbage\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"})
    void whatIsNoRequestGetsALineOfItsOwn(String bytes, CapturedOutput output) throws Exception {
        assertThat(raw(bytes)).startsWith("HTTP/1.1 ");
        for (int attempt = 0; attempt < 100 && !output.getAll().contains("requests - "); attempt++) {
            Thread.sleep(50);
        }
        assertThat(output.getAll()).contains("requests - - ").doesNotContain("ERROR", "WARN", "Exception", "\tat ");
    }

    @Test
    void aHundredParametersAreNotTooMany() throws Exception {
        String parameters = IntStream.rangeClosed(1, 100).mapToObj(i -> "p" + i).collect(Collectors.joining("&"));
        assertStatus(200, get("/actuator/health?" + parameters));
        assertStatus(200, get("/actuator/health?a=%C3%A9&b&c="));
    }

    /** The body of a form is not read to find parameters: nobody without a key makes the service read a body. */
    @ParameterizedTest
    @ValueSource(strings = {"PUT", "POST", "PATCH", "DELETE"})
    void noBodyOfAFormIsReadBeforeTheKey(String method) throws Exception {
        String answer = raw(method + " /v1/datasets/x/data?a=b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Expect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: 500000000\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 401 ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/datasets | GET,HEAD,POST,OPTIONS",
                "/v1/datasets/nowhere | GET,HEAD,DELETE,OPTIONS",
                "/v1/datasets/nowhere/data | PUT,OPTIONS",
                "/v1/datasets/nowhere/queries/count | POST,OPTIONS",
                "/v1/keys | GET,HEAD,POST,OPTIONS",
                "/v1/keys/self | GET,HEAD,DELETE,PATCH,OPTIONS"
            })
    void optionsSaysWhatIsAllowedToEveryKey(String path, String allowed) throws Exception {
        for (String role : List.of("administrator", "custodian", "analyst", "collector", "auditor", "operator")) {
            HttpResponse<String> response = sendAs(keyFor(role, "[]"), "OPTIONS", path, BodyPublishers.noBody());
            assertStatus(200, response);
            assertThat(response.body()).isEmpty();
            assertThat(response.headers().firstValue("Allow").orElseThrow().split(","))
                    .containsExactlyInAnyOrder(allowed.split(","));
        }
        assertProblem(401, "unauthorized", sendAs("", "OPTIONS", path, BodyPublishers.noBody()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/nothing", "/v1/datasets/nowhere/queries/nothing", "/v1/datasets/nowhere/nothing"})
    void optionsOfAnUnknownAddressIsNotFound(String path) throws Exception {
        assertProblem(404, "not-found", send("OPTIONS", path, BodyPublishers.noBody()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"db", "ledger", "diskSpace", "liveness/x", "nothing", "nothing/at/all"})
    void whatIsNoGroupOfTheHealthCheckIsNotFound(String path) throws Exception {
        for (String key : List.of("", key())) {
            assertProblem(404, "not-found", getAs(key, "/actuator/health/" + path));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/csv; header=absent",
                "text/csv;header=absent",
                "text/csv; charset=utf-8; header=ABSENT",
                "text/csv; header=\"absent\"",
                "text/csv; Header=Absent",
                "text/csv; header=maybe"
            })
    void csvWithoutAHeaderLineIsRefusedBeforeItIsRead(String type) throws Exception {
        String id = registered(COLUMNS, "1", "add-or-remove-one", "");
        HttpResponse<String> response = upload(id, "1,1,Male\n", "Content-Type", type);
        assertProblem(415, "unsupported-media-type", response);
        assertThat(response.headers().firstValue("Accept")).hasValue("text/csv");
        assertThat(json(get("/v1/datasets/" + id)).get("state").asString()).isEqualTo("registered");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/csv; header=present",
                "text/csv; header=\"present\"; charset=UTF-8",
                "text/csv; profile=x; header=Present",
                "text/csv; columns=3"
            })
    void csvWithAHeaderLineAndUnknownParametersIsTaken(String type) throws Exception {
        String id = registered(COLUMNS, "1", "add-or-remove-one", "");
        assertStatus(200, upload(id, ofItsOwn(id, "age,hours,sex\n1,1,Male\n"), "Content-Type", type));
    }
}
