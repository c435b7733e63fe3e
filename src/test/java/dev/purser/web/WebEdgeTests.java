package dev.purser.web;

import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.admission.AdmissionControl;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.JsonDocument;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.StatedAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.LedgerSettings;
import dev.purser.store.Tampering;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** The edge of the service as a client meets it: keys, refusals of every layer, problem pages and the description. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Import(WebEdgeTests.Probe.class)
@ExtendWith(OutputCaptureExtension.class)
// The home is deleted after the last test. A service that stayed would report that into the log of later tests.
@DirtiesContext
class WebEdgeTests {
    private static final int MAX_BODY = 100_000;

    @TempDir
    static Path folder;

    @LocalServerPort
    int port;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @DynamicPropertySource
    static void home(DynamicPropertyRegistry properties) {
        properties.add("purser.home", () -> folder.resolve("home").toString());
    }

    /** Operations in the style of the service's own controllers. */
    @RestController
    @RequestMapping(path = "/v1/probe", produces = MediaType.APPLICATION_JSON_VALUE)
    static class Probe {
        private final AdmissionControl admission;

        Probe(AdmissionControl admission) {
            this.admission = admission;
        }

        @PostMapping(path = "/echo", consumes = MediaType.APPLICATION_JSON_VALUE)
        @RequestBody(required = true, content = @Content(schema = @Schema(implementation = EchoRequest.class)))
        EchoAnswer echo(HttpServletRequest request) throws IOException {
            return admission.read(
                    request, "probe", MAX_BODY, body -> JsonDocument.parse(body).read(EchoAnswer::read));
        }

        @GetMapping("/self")
        Map<String, String> self(@AuthenticationPrincipal Principal principal) {
            return Map.of("name", principal.name());
        }

        @GetMapping("/list")
        List<Long> list(@RequestParam int limit) {
            return List.of((long) limit);
        }

        @GetMapping("/items/{number}")
        long item(@PathVariable int number) {
            return number;
        }

        @GetMapping("/exhausted")
        void exhausted() {
            throw ProblemException.of(ProblemType.BUDGET_EXHAUSTED, "too little is left")
                    .with("requested", new StatedAmount(Epsilon.parse("0.5"), Delta.parse("1e-6"), null))
                    .with("scope", "dataset");
        }

        @GetMapping("/fail")
        void fail() {
            throw new IllegalStateException("secret 4711", new IllegalArgumentException("secret 4712"));
        }

        @GetMapping("/break")
        void breakDown() {
            throw new StackOverflowError("secret 4713");
        }
    }

    /** A question with a description. */
    @Schema(description = "A question.")
    record EchoRequest(
            @Schema(description = "How much to spend.", requiredMode = Schema.RequiredMode.REQUIRED)
            Epsilon epsilon,

            @Schema(description = "Optional.", requiredMode = Schema.RequiredMode.NOT_REQUIRED)
            Delta delta) {}

    /** An answer. */
    record EchoAnswer(Epsilon epsilon, Delta delta) {
        private static final Field<Epsilon> EPSILON =
                Field.required("epsilon", FieldType.epsilon(Epsilon.parse("0.000001"), Epsilon.parse("100")), "");
        private static final Field<Delta> DELTA = Field.optional("delta", FieldType.delta(Delta.parse("0.01")), "")
                .withDefault(Delta.ZERO);

        static Optional<EchoAnswer> read(ObjectReader in) {
            Optional<Epsilon> epsilon = in.read(EPSILON);
            Optional<Delta> delta = in.read(DELTA);
            return in.complete(() -> new EchoAnswer(epsilon.orElseThrow(), delta.orElseThrow()));
        }
    }

    @Test
    void theKeyOpensAndNamesItsPrincipal() throws Exception {
        HttpResponse<String> answer = send("GET", "/v1/probe/self", "Authorization", "bearer " + key());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(quoted("{'name':'admin'}"));
        assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(answer.headers().firstValue("Server")).isEmpty();
    }

    @Test
    void anOperationThatSaysNoRolesIsClosedToAllButTheAdministrator() throws Exception {
        for (Role role : Role.values()) {
            String name = "probe-" + role.label();
            String token = made(quoted("{'name':'%s','role':'%s'}").formatted(name, role.label()));
            HttpResponse<String> answer = send("GET", "/v1/probe/self", "Authorization", token);
            if (role == Role.ADMINISTRATOR) {
                assertThat(answer.body()).isEqualTo(quoted("{'name':'%s'}"), name);
            } else {
                assertProblem(answer, ProblemType.FORBIDDEN);
                HttpResponse<String> options = send("OPTIONS", "/v1/probe/self", "Authorization", token);
                assertThat(options.statusCode()).isEqualTo(200);
                assertThat(options.headers().firstValue("Allow")).hasValue("GET,HEAD,OPTIONS");
            }
            assertProblem(send("GET", "/v1/probe/nothing", "Authorization", token), ProblemType.NOT_FOUND);
            assertProblem(send("GET", "/error", "Authorization", token), ProblemType.NOT_FOUND);
            assertThat(send("GET", "/problems", "Authorization", token).statusCode())
                    .isEqualTo(200);
            assertThat(send("GET", "/openapi.json", "Authorization", token).statusCode())
                    .isEqualTo(200);
            assertProblem(
                    send("GET", "/actuator/env", "Authorization", token),
                    role == Role.ADMINISTRATOR || role == Role.OPERATOR
                            ? ProblemType.NOT_FOUND
                            : ProblemType.FORBIDDEN);
        }
    }

    /** Makes a key with this body; returns the header that sends the key. */
    private String made(String body) throws Exception {
        HttpResponse<String> made = client.send(
                HttpRequest.newBuilder(address("/v1/keys"))
                        .header("Authorization", "Bearer " + key())
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return "Bearer " + JsonMapper.shared().readTree(made.body()).get("key").asString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/probe/nothing",
                "/v1/datasets",
                "/error",
                "/actuator",
                "/actuator/env",
                "/actuator/prometheus",
                "/webjars/x"
            })
    void isClosedByDefault(String path) throws Exception {
        assertProblem(send("GET", path), ProblemType.UNAUTHORIZED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/probe/nothing",
                "/error",
                "/actuator",
                "/actuator/env",
                "/actuator/heapdump",
                "/problems/nothing",
                "/docs/x"
            })
    void whatDoesNotExistIsNotFound(String path) throws Exception {
        assertProblem(asAdministrator("GET", path), ProblemType.NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/problems",
                "/problems/budget-exhausted",
                "/openapi",
                "/openapi.json",
                "/openapi.yaml",
                "/actuator/health",
                "/actuator/health/liveness",
                "/actuator/health/readiness",
                "/swagger-ui/index.html"
            })
    void aFewPagesArePublic(String path) throws Exception {
        assertThat(send("GET", path).statusCode()).isEqualTo(200);
        assertThat(send("HEAD", path).statusCode()).isEqualTo(200);
        assertThat(send("GET", path, "Authorization", "Bearer wrong").statusCode())
                .isEqualTo(200);
    }

    @Test
    void healthSaysUpAndNoMore() throws Exception {
        assertThat(send("GET", "/actuator/health").body()).isEqualTo("""
                        {"groups":["liveness","readiness"],"status":"UP"}""");
    }

    @Test
    void readsABodyAndNamesEveryBrokenRule() throws Exception {
        assertThat(post(quoted("{'epsilon': 0.50, 'delta':'1e-6'}")).body()).isEqualTo("""
                        {"epsilon":"0.5","delta":"0.000001"}""");
        JsonNode problem = assertProblem(post(quoted("{'epsilon':'-1','nope':1}")), ProblemType.VALIDATION_FAILED);
        assertThat(problem.get("errors").size()).isEqualTo(2);
        assertThat(problem.at("/errors/0/pointer").asString()).isEqualTo("/epsilon");
        assertThat(problem.at("/errors/1/pointer").asString()).isEqualTo("/nope");
        assertThat(assertProblem(post("null"), ProblemType.VALIDATION_FAILED)
                        .at("/errors/0/pointer")
                        .asString())
                .isEmpty();
        assertProblem(post("{\"epsilon\":"), ProblemType.MALFORMED_REQUEST);
        assertProblem(post("{\"nope\":1,<garbage"), ProblemType.MALFORMED_REQUEST);
        assertProblem(post(""), ProblemType.MALFORMED_REQUEST);
    }

    @Test
    void refusesABodyThatIsTooLarge() throws Exception {
        byte[] large = new byte[MAX_BODY + 1];
        Arrays.fill(large, (byte) ' ');
        assertProblem(post(BodyPublishers.ofByteArray(large), "application/json"), ProblemType.PAYLOAD_TOO_LARGE);
        assertProblem(
                post(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)), "application/json"),
                ProblemType.PAYLOAD_TOO_LARGE);
        large[0] = '{';
        large[1] = '}';
        byte[] largest = Arrays.copyOf(large, MAX_BODY);
        assertProblem(post(BodyPublishers.ofByteArray(largest), "application/json"), ProblemType.VALIDATION_FAILED);
        assertProblem(
                post(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(largest)), "application/json"),
                ProblemType.VALIDATION_FAILED);
    }

    @Test
    void asksForNoUploadThatItRefuses() throws Exception {
        String header = "POST /v1/probe/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\n"
                + "Content-Type: %s\r\n"
                + "Content-Length: 500000000\r\n";
        String key = "Authorization: Bearer " + key() + "\r\n";
        assertThat(raw(header.formatted("application/json") + "\r\n")).startsWith("HTTP/1.1 401 ");
        assertThat(raw(header.formatted("text/plain") + key + "\r\n")).startsWith("HTTP/1.1 415 ");
        assertThat(raw(header.formatted("application/json") + key + "\r\n")).startsWith("HTTP/1.1 413 ");
        assertThat(raw(header.formatted("application/json").replace("500000000", "2") + key + "\r\n{}"))
                .startsWith("HTTP/1.1 100 ")
                .contains("HTTP/1.1 422 ");
    }

    @Test
    void refusesWhatItCannotTakeOrGive() throws Exception {
        HttpResponse<String> method = asAdministrator("DELETE", "/v1/probe/echo");
        assertProblem(method, ProblemType.METHOD_NOT_ALLOWED);
        assertThat(method.headers().firstValue("Allow")).hasValue("OPTIONS, POST");
        assertThat(asAdministrator("PATCH", "/v1/probe/self").headers().firstValue("Allow"))
                .hasValue("GET, HEAD, OPTIONS");
        HttpResponse<String> accept = asAdministrator("GET", "/v1/probe/self", "Accept", "application/xml");
        assertThat(assertProblem(accept, ProblemType.NOT_ACCEPTABLE)
                        .get("detail")
                        .asString())
                .contains("application/json");
        assertProblem(asAdministrator("GET", "/v1/probe/self", "Accept", "nonsense"), ProblemType.NOT_ACCEPTABLE);
        HttpResponse<String> type = post(BodyPublishers.ofString("{}"), "text/plain");
        assertProblem(type, ProblemType.UNSUPPORTED_MEDIA_TYPE);
        assertThat(type.headers().firstValue("Accept")).hasValue("application/json");
        assertProblem(post(BodyPublishers.ofString("{}"), "nonsense"), ProblemType.UNSUPPORTED_MEDIA_TYPE);
        assertProblem(asAdministrator("POST", "/v1/probe/echo"), ProblemType.UNSUPPORTED_MEDIA_TYPE);
        assertProblem(
                asAdministrator(
                        "POST", "/v1/probe/echo", "Content-Type", "application/json", "Content-Encoding", "gzip"),
                ProblemType.UNSUPPORTED_MEDIA_TYPE);
    }

    @Test
    void namesTheParameterThatBreaksARule() throws Exception {
        for (String query : List.of("", "?limit=", "?limit=x", "?limit=1.5", "?limit=99999999999")) {
            JsonNode problem =
                    assertProblem(asAdministrator("GET", "/v1/probe/list" + query), ProblemType.VALIDATION_FAILED);
            assertThat(problem.at("/errors/0/parameter").asString()).isEqualTo("limit");
        }
        assertProblem(asAdministrator("GET", "/v1/probe/items/x"), ProblemType.NOT_FOUND);
        assertThat(asAdministrator("GET", "/v1/probe/list?limit=5").body()).isEqualTo("[5]");
    }

    @Test
    void rendersMembersOfAProblem() throws Exception {
        JsonNode problem = assertProblem(asAdministrator("GET", "/v1/probe/exhausted"), ProblemType.BUDGET_EXHAUSTED);
        assertThat(problem.get("requested")).hasToString(quoted("{'epsilon':'0.5','delta':'0.000001'}"));
        assertThat(problem.get("scope").asString()).isEqualTo("dataset");
        assertThat(problem.get("instance").asString()).isEqualTo("/v1/probe/exhausted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/probe/fail", "/v1/probe/break"})
    void tellsNothingOfAFailureButItsReference(String path, CapturedOutput output) throws Exception {
        HttpResponse<String> answer = asAdministrator("GET", path);
        JsonNode problem = assertProblem(answer, ProblemType.INTERNAL_ERROR);
        assertThat(answer.body()).doesNotContain("secret", "Exception", "Error\"", "dev.purser", "\\tat ");
        String reference = problem.get("reference").asString();
        assertThat(reference).matches("[0-9a-f]{16}");
        assertThat(output.getAll()).contains(reference, "WebEdgeTests$Probe").doesNotContain("secret 47");
    }

    @ParameterizedTest
    @MethodSource
    void theConnectorAndTheFirewallRefuseInTheSameForm(String request, ProblemType... expected) throws Exception {
        String answer =
                raw(request.replace("KEY", "Host: x\r\nConnection: close\r\nAuthorization: Bearer " + key() + "\r\n"));
        String[] parts = answer.split("\r\n\r\n", 2);
        assertThat(parts[0]).contains("Content-Type: application/problem+json").doesNotContain("Server:");
        JsonNode problem = JsonMapper.shared().readTree(parts[1]);
        assertThat(problem.get("type").asString())
                .isIn(Arrays.stream(expected).map(ProblemType::uri).toList());
        assertThat(parts[0]).startsWith("HTTP/1.1 " + problem.get("status").asInt() + " ");
        assertThat(answer).doesNotContainIgnoringCase("<html").doesNotContain("Exception", "\tat ", "Tomcat");
    }

    @Test
    void hasAnIconForBrowsers() throws Exception {
        HttpResponse<String> icon = send("GET", "/favicon.ico");

        assertThat(icon.statusCode()).isEqualTo(200);
        assertThat(icon.headers().firstValue("Content-Type")).hasValue("image/x-icon");
    }

    @Test
    void answersNoRequestWithoutAVersionOfHttp() throws Exception {
        assertThat(raw("GET /actuator/health\r\n\r\n"))
                .contains("malformed-request")
                .doesNotContain("UP");
    }

    @ParameterizedTest
    @CsvSource({"TRACE, OPTIONS", "PUT, 'GET, HEAD, OPTIONS'"})
    void listsOnlyMethodsThatAreAllowed(String method, String allowed) throws Exception {
        assertThat(raw(method + " /v1/mechanisms HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                        + key() + "\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ")
                .contains("\r\nAllow: " + allowed + "\r\n");
    }

    @Test
    void nobodyWritesAMethodOfTheirOwnIntoTheLog(CapturedOutput log) throws Exception {
        assertThat(raw("NOBODYS / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ");
        assertThat(log).doesNotContain("Request method 'NOBODYS'");
    }

    @Test
    void saysHowLargeAHeaderMayBe() throws Exception {
        String request = "GET /v1/probe/self HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + key()
                + "\r\nX: %s\r\n\r\n";
        int most = 16_384 - request.length() + 2;
        assertThat(raw(request.formatted("a".repeat(most)))).startsWith("HTTP/1.1 200 ");
        assertThat(raw(request.formatted("a".repeat(most + 1))))
                .startsWith("HTTP/1.1 431 ")
                .contains("request line and header fields must have at most 16384 bytes together");
    }

    static Stream<Arguments> theConnectorAndTheFirewallRefuseInTheSameForm() {
        ProblemType malformed = ProblemType.MALFORMED_REQUEST;
        return Stream.of(
                refusal("\u0000\u0001garbage\r\n\r\n", malformed),
                refusal("GET\r\n\r\n", malformed),
                refusal("GET /v1/probe/self HTTP/9.9\r\nKEY\r\n", malformed),
                refusal("GET /v1/probe self HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /v1/probe/self HTTP/1.1\r\n\r\n", malformed),
                refusal("GET /v1/<x> HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /v1/x HTTP/1.1\r\nKEYbad name: x\r\n\r\n", malformed),
                refusal("GET /v1/x HTTP/1.1\r\nKEYX: a\u0000b\r\n\r\n", malformed),
                refusal(
                        "POST /v1/probe/echo HTTP/1.1\r\nKEYContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
                        malformed),
                refusal("POST /v1/probe/echo HTTP/1.1\r\nKEYContent-Length: -5\r\n\r\n", malformed),
                refusal("POST /v1/probe/echo HTTP/1.1\r\nKEYContent-Length: 5x\r\n\r\n", malformed),
                refusal("POST /v1/probe/echo HTTP/1.1\r\nKEYTransfer-Encoding: xchunked\r\n\r\n", malformed),
                refusal("POST /v1/probe/echo HTTP/1.1\r\nKEYTransfer-Encoding: chunked, identity\r\n\r\n", malformed),
                refusal(
                        "POST /v1/probe/echo HTTP/1.1\r\nKEYContent-Type: application/json\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                        malformed),
                // RFC 9112, 6.1: the transfer coding wins and the connection ends, so nothing can hide behind the body.
                refusal(
                        "POST /v1/probe/echo HTTP/1.1\r\nKEYContent-Type: application/json\r\nContent-Length: 4\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n\r\n"
                                + "GET /v1/probe/self HTTP/1.1\r\nKEY\r\n",
                        malformed),
                refusal("TRACE /v1/probe/self HTTP/1.1\r\nKEY\r\n", ProblemType.METHOD_NOT_ALLOWED),
                refusal("FOO /v1/probe/self HTTP/1.1\r\nKEY\r\n", ProblemType.METHOD_NOT_ALLOWED),
                refusal(
                        "FOO /v1/probe/self HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                        ProblemType.UNAUTHORIZED),
                refusal(
                        "GET /v1/probe/self HTTP/1.1\r\nAuthorization: Bearer other\r\nKEY\r\n",
                        ProblemType.UNAUTHORIZED),
                refusal(
                        "GET /v1/probe/self HTTP/1.1\r\nKEYAuthorization: Bearer other\r\n\r\n",
                        ProblemType.UNAUTHORIZED),
                refusal("CONNECT x:80 HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /v1/a%2fb HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /v1/a%5cb HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /v1/a%00b HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /v1/%zz HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /v1/%ff HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /v1/info?a%01=1 HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /v1//x HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /v1/x;a=1 HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /v1/../x HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /../../x HTTP/1.1\r\nKEY\r\n", malformed),
                refusal("GET /swagger-ui/..%2f..%2fapplication.yaml HTTP/1.1\r\nKEY\r\n", malformed),
                refusal(
                        "GET /v1/probe/self HTTP/1.1\r\nKEYX: " + "a".repeat(17_000) + "\r\n\r\n",
                        ProblemType.HEADER_TOO_LARGE),
                refusal("GET /v1/" + "a".repeat(17_000) + " HTTP/1.1\r\nKEY\r\n", ProblemType.HEADER_TOO_LARGE),
                refusal(
                        "GET /v1/probe/self HTTP/1.1\r\nKEYX: " + "a".repeat(100_000) + "\r\n\r\n",
                        ProblemType.HEADER_TOO_LARGE),
                refusal(
                        "GET /v1/probe/self HTTP/1.1\r\nKEYX: " + "a".repeat(1_000_000) + "\r\n\r\n",
                        ProblemType.HEADER_TOO_LARGE),
                refusal("GET /v1/probe/self HTTP/1.1\r\nKEY" + "X: a\r\n".repeat(200) + "\r\n", malformed),
                refusal("POST /v1/probe/self HTTP/1.1\r\nKEYExpect: nonsense\r\nContent-Length: 1\r\n\r\n", malformed));
    }

    /** Everybody can send a text that has the form of a key. */
    @Test
    void aKeyThatCannotBeLookedUpIsAnInternalErrorInOneLine(CapturedOutput log) throws Exception {
        Path home = folder.resolve("home");
        Tampering.tamper(home, LedgerSettings.embedded(), "ALTER TABLE access_key RENAME TO away");
        try {
            String key = "Bearer purser_" + "a".repeat(16) + "_" + "a".repeat(43);
            HttpResponse<String> answer = send("GET", "/v1/probe/self", "Authorization", key);
            String reference = assertProblem(answer, ProblemType.INTERNAL_ERROR)
                    .get("reference")
                    .asString();
            assertThat(log.getAll()).contains(reference).doesNotContain("access_key", "\tat ");
        } finally {
            Tampering.tamper(home, LedgerSettings.embedded(), "ALTER TABLE away RENAME TO access_key");
        }
    }

    @ParameterizedTest
    @EnumSource(ProblemType.class)
    void everyProblemHasItsPage(ProblemType type) throws Exception {
        HttpResponse<String> page = send("GET", type.uri());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
        assertThat(page.body())
                .contains(type.slug(), type.title(), String.valueOf(type.status()))
                .doesNotContain("http://", "https://", "<script");
        assertThat(send("GET", "/problems").body()).contains("href=\"problems/" + type.slug() + "\"");
    }

    @Test
    void describesItselfInOpenApi31() throws Exception {
        HttpResponse<String> served = send("GET", "/openapi.json");
        assertThat(served.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/json");
        JsonNode api = JsonMapper.shared().readTree(served.body());
        assertThat(api.get("openapi").asString()).startsWith("3.1.");
        assertThat(api.at("/components/securitySchemes/bearerKey/scheme").asString())
                .isEqualTo("bearer");
        assertThat(api.at("/security/0/bearerKey").isArray()).isTrue();
        assertThat(api.at("/servers/0/url").asString()).isEqualTo("/");
        JsonNode echo = api.get("paths").get("/v1/probe/echo").get("post");
        assertThat(echo.at("/requestBody/content/application~1json/schema/$ref").asString())
                .endsWith("/EchoRequest");
        for (String status :
                List.of("400", "401", "403", "405", "406", "408", "413", "415", "422", "431", "500", "503")) {
            assertThat(echo.at("/responses/" + status + "/content/application~1problem+json/schema/$ref")
                            .asString())
                    .isEqualTo("#/components/schemas/Problem");
        }
        assertThat(api.at("/components/schemas/EchoRequest/properties/epsilon/type")
                        .asString())
                .isEqualTo("string");
        assertThat(api.at("/components/schemas/EchoRequest/properties/epsilon/description")
                        .asString())
                .isEqualTo("How much to spend.");
        assertThat(api.at("/components/schemas/EchoAnswer/properties/epsilon/type")
                        .asString())
                .isEqualTo("string");
        assertThat(api.at("/components/schemas/EchoAnswer/properties/epsilon/description")
                        .asString())
                .contains("Exact epsilon");
        for (ProblemType type : ProblemType.values()) {
            assertThat(api.at("/components/examples/" + type.slug() + "/value/type")
                            .asString())
                    .isEqualTo(type.uri());
        }
        assertThat(api.get("paths").propertyNames()).allMatch(path -> path.startsWith("/v1/") || path.equals("/mcp"));
        assertThat(send("GET", "/openapi.yaml").body()).startsWith("openapi: 3.1.");
    }

    @Test
    void theConsoleIsAtTheRootUnderAPolicyThatRunsNoTextOfOthers() throws Exception {
        HttpResponse<String> console = send("GET", "/");
        assertThat(console.statusCode()).isEqualTo(200);
        assertThat(console.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(console.body()).contains("src=\"console/console.js\"");
        for (String path : List.of("/", "/console/console.js", "/console/vendor/pico-2.1.1.css")) {
            HttpResponse<String> reply = send("HEAD", path);
            assertThat(reply.statusCode()).as(path).isEqualTo(200);
            assertThat(reply.headers().allValues("Content-Security-Policy"))
                    .as(path)
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith("default-src 'self';")
                    .contains("frame-ancestors 'none'")
                    .doesNotContain("unsafe");
        }
        assertProblem(send("GET", "/console/nothing.js"), ProblemType.NOT_FOUND);
        assertProblem(send("POST", "/"), ProblemType.METHOD_NOT_ALLOWED);
    }

    @Test
    void filesOfTheConsoleAreCompressedAndNotSentAgainWhileTheyAreTheSame() throws Exception {
        HttpResponse<String> script = send("GET", "/console/ask.js", "Accept-Encoding", "gzip");
        assertThat(script.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(script.headers().firstValue("Cache-Control")).hasValue("no-cache");
        for (String path : List.of("/", "/console/ask.js")) {
            String modified =
                    send("GET", path).headers().firstValue("Last-Modified").orElseThrow();
            HttpResponse<String> again = send("GET", path, "If-Modified-Since", modified);
            assertThat(again.statusCode()).as(path).isEqualTo(304);
        }
    }

    @Test
    void showsTheDescriptionWithoutAnotherHost() throws Exception {
        HttpResponse<String> docs = send("GET", "/docs");
        assertThat(docs.statusCode()).isEqualTo(302);
        String index = docs.headers().firstValue("Location").orElseThrow();
        assertThat(index).startsWith("/");
        String html = send("GET", index).body();
        String script = send("GET", "/swagger-ui/swagger-initializer.js").body();
        String configuration =
                send("GET", "/openapi/swagger-config").body().replace("http://127.0.0.1:" + port + "/", "/");
        for (String text : List.of(html, script, configuration)) {
            assertThat(text).doesNotContain("http://", "https://", "//petstore");
        }
        assertThat(html).contains("swagger-ui-bundle.js");
        assertThat(configuration)
                .contains("\"url\":\"/openapi.json\"", "\"persistAuthorization\":false", "\"validatorUrl\":\"\"");
        HttpResponse<String> bundle = send("GET", "/swagger-ui/swagger-ui-bundle.js");
        assertThat(bundle.statusCode()).isEqualTo(200);
        assertThat(bundle.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("script-src 'self'", "connect-src 'self'");
    }

    private static Arguments refusal(String request, ProblemType... expected) {
        return arguments(request, expected);
    }

    private static JsonNode assertProblem(HttpResponse<String> answer, ProblemType type) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(type.status());
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        JsonNode problem = JsonMapper.shared().readTree(answer.body());
        assertThat(problem.get("type").asString()).isEqualTo(type.uri());
        assertThat(problem.get("title").asString()).isEqualTo(type.title());
        assertThat(problem.get("status").asInt()).isEqualTo(type.status());
        assertThat(problem.get("detail").asString()).isNotEmpty();
        assertThat(problem.get("instance").asString()).startsWith("/");
        return problem;
    }

    private HttpResponse<String> post(String body) throws Exception {
        return post(BodyPublishers.ofString(body), "application/json");
    }

    private HttpResponse<String> post(BodyPublisher body, String contentType) throws Exception {
        return client.send(
                HttpRequest.newBuilder(address("/v1/probe/echo"))
                        .header("Authorization", "Bearer " + key())
                        .header("Content-Type", contentType)
                        .POST(body)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> asAdministrator(String method, String path, String... headers) throws Exception {
        String[] all = Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = "Authorization";
        all[headers.length + 1] = "Bearer " + key();
        return send(method, path, all);
    }

    private HttpResponse<String> send(String method, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(address(path)).method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Sends bytes as they are, and returns what comes back until the service closes the connection. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(5_000);
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                } catch (IOException refusedBeforeTheEnd) {
                    // Only the answer counts.
                }
            });
            StringBuilder answer = new StringBuilder();
            InputStream in = socket.getInputStream();
            try {
                for (int next = in.read(); next >= 0; next = in.read()) {
                    answer.append((char) next);
                }
            } catch (IOException closed) {
                // A refusal before the end of the request ends in a reset.
            }
            sender.interrupt();
            return answer.toString();
        }
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private static String key() throws IOException {
        return Files.readString(folder.resolve("home/admin.key")).strip();
    }
}
