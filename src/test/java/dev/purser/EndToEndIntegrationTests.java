package dev.purser;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The packaged service on an empty home, as a reader of the readme meets it. The test runs the readme's own block of
 * commands in order, cuts the power, and checks what the next start finds.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EndToEndIntegrationTests {
    private static final Path ROOT = Path.of("").toAbsolutePath();
    private static final Pattern WALKTHROUGH = Pattern.compile(
            "<!-- walkthrough:begin -->\\s*```sh\\n(.*?)```\\s*<!-- walkthrough:end -->", Pattern.DOTALL);
    private static final String MEAN = "{\"epsilon\": \"0.25\", \"column\": \"age\", \"method\": \"centered\"}";
    private static final String ASK = "/v1/datasets/visits/queries/mean";

    private static final JsonMapper JSON = new JsonMapper();

    /** As on most hosts: what the service creates is open to others unless it says otherwise. */
    private static final List<String> UNDER_AN_OPEN_UMASK = List.of(
            "sh",
            "-c",
            "umask 022; exec \"$0\" \"$@\"",
            ProcessHandle.current().info().command().orElseThrow(),
            "-jar",
            System.getProperty("purser.jar"));

    @TempDir
    static Path folder;

    private static ServiceProcess service;
    private static List<JsonNode> walked;
    private static HttpResponse<String> answered;

    @BeforeAll
    static void starts() throws IOException, InterruptedException {
        service = new ServiceProcess(folder, Map.of(), UNDER_AN_OPEN_UMASK);
    }

    @AfterAll
    static void stops() throws InterruptedException {
        service.close();
    }

    @Test
    @Order(1)
    void theFirstStartSaysWhereTheKeyTheServiceAndTheDocumentationAre() throws IOException {
        assertThat(service.log())
                .contains(service.home().resolve("admin.key").toString())
                .contains(service.address())
                .contains(service.address() + "/docs")
                .doesNotContain(service.key());
    }

    @Test
    @Order(1)
    void theJarStartsFromTheContextThatTheBuildPrepared() throws IOException {
        assertThat(service.log()).contains("Starting AOT-processed PurserApplication");
    }

    @Test
    @Order(2)
    void theReadmesBlockWorksAsPasted() throws IOException, InterruptedException {
        walked = pasted();
        assertThat(walked.get(0).at("/state").stringValue()).isEqualTo("registered");
        assertThat(walked.get(1).at("/state").stringValue()).isEqualTo("ready");
        assertThat(walked.get(2).at("/answer/mean").isNumber()).isTrue();
        assertThat(walked.get(3).at("/answer/examined").isIntegralNumber()).isTrue();
        assertThat(walked.get(4).at("/spent/epsilon").stringValue()).isEqualTo("3");
        assertThat(walked.get(4).at("/remaining/epsilon").stringValue()).isEqualTo("2");
    }

    @Test
    @Order(3)
    void aSecondPasteChargesNothing() throws IOException, InterruptedException {
        List<JsonNode> again = pasted();
        assertThat(again.get(0).at("/type").stringValue()).endsWith("already-exists");
        assertThat(again.get(1).at("/type").stringValue()).endsWith("already-exists");
        assertThat(again.subList(2, 5)).isEqualTo(walked.subList(2, 5));
    }

    /** Pastes the readme's block into a shell; gives the five replies. */
    private static List<JsonNode> pasted() throws IOException, InterruptedException {
        Matcher block = WALKTHROUGH.matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(block.find()).isTrue();
        ProcessBuilder shell = new ProcessBuilder("sh").directory(ROOT.toFile()).redirectErrorStream(true);
        shell.environment().put("PURSER", service.address());
        shell.environment().put("PURSER_HOME", service.home().toString());
        Process pasted = shell.start();
        try (var in = pasted.outputWriter(StandardCharsets.UTF_8)) {
            in.write(block.group(1));
        }
        assertThat(block.find()).as("another block").isFalse();
        String output = new String(pasted.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(pasted.waitFor()).as(output).isZero();
        List<JsonNode> replies = output.lines()
                .filter(line -> !line.startsWith("curl: "))
                .map(JSON::readTree)
                .toList();
        assertThat(replies).as(output).hasSize(5);
        return replies;
    }

    @Test
    @Order(4)
    void aThresholdQuestionIsAnsweredToo() throws IOException, InterruptedException {
        HttpResponse<String> reply = service.ask(
                "/v1/datasets/visits/queries/threshold",
                service.key(),
                "first-bound",
                "{\"epsilon\": \"0.5\", \"threshold\": 0, \"queries\": ["
                        + "{\"clipLoss\": {\"column\": \"age\", \"bound\": 20, \"step\": 1}},"
                        + "{\"clipLoss\": {\"column\": \"age\", \"bound\": 110, \"step\": 1}}]}");

        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(JSON.readTree(reply.body())
                        .at("/mechanism/parameters/monotone")
                        .booleanValue())
                .isTrue();
    }

    @Test
    @Order(5)
    void everyFileOfTheHomeIsPrivateAlsoDuringAnUpload() throws IOException, InterruptedException {
        String unit = """
                {"id": "private", "columns": [{"name": "age", "type": "integer", "lower": 0, "upper": 110}],
                 "privacyUnit": {"type": "column", "column": "who", "maxRows": 1},
                 "neighboringRelation": "add-or-remove-one", "maxRows": 10000, "budget": {"epsilon": "1"}}""";
        assertThat(service.post("/v1/datasets", service.key(), unit).statusCode())
                .isEqualTo(201);
        URI address = URI.create(service.address());
        try (Socket upload = new Socket(address.getHost(), address.getPort())) {
            String head = "PUT /v1/datasets/private/data HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + service.key()
                    + "\r\nContent-Type: text/csv\r\nContent-Length: 1000000\r\n\r\n";
            upload.getOutputStream()
                    .write((head + "who,age\n" + "a,1\n".repeat(9_000)).getBytes(StandardCharsets.US_ASCII));
            Instant deadline = Instant.now().plusSeconds(30);
            while (rowsSoFar() == 0) {
                assertThat(Instant.now()).isBefore(deadline);
            }
            assertEverythingIsPrivate("ledger.db-wal", "ledger.db-shm", "rows.columns", "rows.columns.spilled");
        }
    }

    private static long rowsSoFar() throws IOException, InterruptedException {
        return JSON.readTree(service.get("/v1/datasets/private", service.key()).body())
                .at("/rowsSoFar")
                .asLong(0);
    }

    private static void assertEverythingIsPrivate(String... among) throws IOException {
        try (Stream<Path> files = Files.walk(service.home())) {
            List<Path> all = files.toList();
            assertThat(all).extracting(file -> file.getFileName().toString()).contains(among);
            assertThat(all)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .as(file.toString())
                            .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------"));
        }
    }

    @Test
    @Order(6)
    void aSecondProcessOnTheSameHomeRefusesToStart() throws IOException, InterruptedException {
        assertThat(service.refusalOfASecondProcess())
                .contains(service.home().toString())
                .doesNotContain("\tat ");
    }

    @Test
    @Order(7)
    void aPowerCutChangesNothingThatWasAnswered() throws IOException, InterruptedException {
        String key = service.key();
        answered = service.ask(ASK, key, "before-the-cut", MEAN);
        assertThat(answered.statusCode()).as(answered.body()).isEqualTo(200);
        String queryId = JSON.readTree(answered.body()).at("/queryId").stringValue();
        String budget = service.get("/v1/datasets/visits/budget", key).body();
        String ledger = service.get("/v1/datasets/visits/ledger", key).body();

        service.killAndRestart();

        assertThat(service.key()).isEqualTo(key);
        assertThat(service.get("/v1/datasets/visits/budget", key).body()).isEqualTo(budget);
        assertThat(service.get("/v1/datasets/visits/ledger", key).body()).isEqualTo(ledger);
        assertThat(service.get("/v1/queries/" + queryId, key).body()).isEqualTo(answered.body());
        HttpResponse<String> replay = service.ask(ASK, key, "before-the-cut", MEAN);
        assertThat(replay.body()).isEqualTo(answered.body());
        assertThat(replay.headers().firstValue("Idempotency-Replayed")).contains("true");
        assertThat(service.get("/v1/datasets/visits/budget", key).body()).isEqualTo(budget);
    }

    @Test
    @Order(8)
    void theDataIsThereAfterThePowerCutAndTheBudgetGoesOnWhereItStood() throws IOException, InterruptedException {
        String key = service.key();
        HttpResponse<String> next = service.ask(ASK, key, "after-the-cut", MEAN);

        assertThat(next.statusCode()).as(next.body()).isEqualTo(200);
        assertThat(JSON.readTree(next.body()).at("/remaining/epsilon").stringValue())
                .isEqualTo("1");
        assertThat(JSON.readTree(next.body()).at("/answer/mean").doubleValue()).isBetween(0.0, 110.0);
    }

    @Test
    @Order(9)
    void whatIsNotThereAnyMoreCannotBeSpent() throws IOException, InterruptedException {
        HttpResponse<String> refusal = service.ask(
                "/v1/datasets/visits/queries/count", service.key(), "too-much", "{\"epsilon\": \"1.000001\"}");

        assertThat(refusal.statusCode()).isEqualTo(409);
        assertThat(service.log()).as("the log of the whole walk").doesNotContain("\tat ");
        assertThat(JSON.readTree(refusal.body()).at("/shortfall/epsilon").stringValue())
                .isEqualTo("0.000001");
    }
}
