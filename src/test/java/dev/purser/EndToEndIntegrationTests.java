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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * The packaged service on an empty home, as a reader of the readme meets it. The test runs the readme's own block of
 * commands in order, cuts the power, and checks what the next start finds.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EndToEndIntegrationTests {
    private static final Path ROOT = Path.of("").toAbsolutePath();
    private static final Pattern WALKTHROUGH = Pattern.compile(
            "<!-- walkthrough:begin -->\\s*```sh\\n(.*?)```\\s*<!-- walkthrough:end -->", Pattern.DOTALL);
    private static final String MEAN = """
            {"epsilon": "0.25", "column": "age", "method": "centered"}""";
    private static final String ASK = "/v1/datasets/visits/queries/mean";

    private static final JsonMapper JSON = new JsonMapper();

    /** The umask of most hosts: what the service creates is readable by others unless the service prevents it. */
    private static final List<String> UNDER_AN_OPEN_UMASK = Stream.concat(
                    Stream.of("sh", "-c", "umask 022; exec \"$0\" \"$@\""), ServiceProcess.jar().stream())
            .toList();

    @TempDir
    static Path folder;

    @AutoClose
    private static ServiceProcess service;

    private static List<JsonNode> walked;
    private static HttpResponse<String> answered;

    @BeforeAll
    static void starts() throws IOException, InterruptedException {
        service = new ServiceProcess(folder, Map.of(), UNDER_AN_OPEN_UMASK);
    }

    @Test
    @Order(1)
    void theFirstStartSaysWhereTheKeyTheServiceAndTheDocumentationAre() throws IOException {
        assertThat(service.log())
                .contains(service.home().resolve("admin.key").toString())
                .contains(service.address())
                .contains(service.address() + "/docs")
                .contains("Protection on: only this machine can connect (server.address)")
                .contains("Protection off: answers leave at whole numbers of quanta (purser.release.quantised)")
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

    /**
     * Every count is further from the threshold than the error, so the positives are right, except once in 10,000,000
     * runs.
     */
    @Test
    @Order(3)
    void theReadmesThresholdSeparatesItsRanges() throws IOException {
        JsonNode reply = walked.get(3);
        int threshold = reply.at("/question/threshold").intValue();
        List<Integer> above = new ArrayList<>();
        for (int i = 0; i < reply.at("/question/ranges").size(); i++) {
            JsonNode range = reply.at("/question/ranges").get(i);
            long rows = ages().filter(age -> age >= range.at("/atLeast").intValue()
                            && age < range.at("/below").intValue())
                    .count();
            assertThat(Math.abs(rows - threshold))
                    .as("the distance of %s rows in %s", rows, range)
                    .isGreaterThan(4 * reply.at("/accuracy/alpha").longValue());
            if (rows > threshold) {
                above.add(i);
            }
        }
        assertThat(reply.at("/answer/positives"))
                .extracting(positive -> positive.at("/index").intValue())
                .containsExactlyElementsOf(above);
    }

    /** Everything except the noise is equal, digit for digit. The noise is within nine times its usual size. */
    @Test
    @Order(3)
    void theReadmeShowsTheAnswersOfItsBlock() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        JsonNode mean = walked.get(2);
        assertShown(JSON.readTree(between(readme, "```json\n", "```")), mean, "");
        double exact = ages().average().orElseThrow();
        assertThat(readme).contains("The exact mean is %.3f here".formatted(exact));
        assertThat(mean.at("/answer/mean").doubleValue()).isCloseTo(exact, within(0.5));
        assertThat(readme)
                .contains(
                        "Its `alpha` of " + walked.get(3).at("/accuracy/alpha").intValue() + " bounds");
    }

    @Test
    @Order(3)
    void theReadmesQuoteSaysWhatTheReadmeSays() throws IOException, InterruptedException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        String section = readme.substring(readme.indexOf("## Before you ask"));
        String keys = readme.substring(readme.indexOf("PURSER=${PURSER"), readme.indexOf("curl -sS --fail-with-body"));
        JsonNode plan = run(keys + between(section, "```sh\n", "```")).getFirst();

        assertThat(section)
                .contains(
                        "The count needs epsilon " + plan.at("/items/0/epsilon").stringValue() + " to be")
                .contains("The\nplan costs " + plan.at("/charge/epsilon").stringValue() + " and fits once into the "
                        + walked.get(4).at("/remaining/epsilon").stringValue() + " that remain")
                .contains("here within %.2f."
                        .formatted(plan.at("/items/1/accuracy/alpha").doubleValue()));
        assertThat(plan.at("/timesAffordable").intValue()).isEqualTo(1);
    }

    private static void assertShown(JsonNode shown, JsonNode actual, String at) {
        if (shown.isObject()) {
            assertThat(shown.propertyNames()).allSatisfy(name -> {
                if (!"…".equals(name)) {
                    assertShown(shown.get(name), actual.path(name), at + "/" + name);
                }
            });
        } else if (Set.of("/accuracy/alpha", "/answer/mean", "/answer/interval/low", "/answer/interval/high")
                .contains(at)) {
            assertThat(actual.doubleValue()).as(at).isCloseTo(shown.doubleValue(), within(0.5));
        } else if (at.startsWith("/answer/count/")) {
            assertThat(actual.doubleValue()).as(at).isCloseTo(shown.doubleValue(), within(18.0));
        } else if (!shown.isString() || !"…".equals(shown.stringValue())) {
            assertThat(actual).as(at).isEqualTo(shown);
        }
    }

    private static IntStream ages() throws IOException {
        return Files.readAllLines(ROOT.resolve("examples/visits.csv")).stream()
                .skip(1)
                .mapToInt(row -> Integer.parseInt(row.substring(0, row.indexOf(','))));
    }

    private static String between(String text, String begin, String end) {
        int from = text.indexOf(begin) + begin.length();
        return text.substring(from, text.indexOf(end, from));
    }

    @Test
    @Order(4)
    void aSecondPasteChargesNothing() throws IOException, InterruptedException {
        List<JsonNode> again = pasted();
        assertThat(again.get(0).at("/type").stringValue()).endsWith("already-exists");
        assertThat(again.get(1).at("/type").stringValue()).endsWith("already-exists");
        assertThat(again.subList(2, 5)).isEqualTo(walked.subList(2, 5));
    }

    /** Pastes the readme's block into a shell; returns the five replies. */
    private static List<JsonNode> pasted() throws IOException, InterruptedException {
        Matcher block = WALKTHROUGH.matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(block.find()).isTrue();
        List<JsonNode> replies = run(block.group(1));
        assertThat(block.find()).as("another block").isFalse();
        assertThat(replies).hasSize(5);
        return replies;
    }

    private static List<JsonNode> run(String commands) throws IOException, InterruptedException {
        ProcessBuilder shell = new ProcessBuilder("sh").directory(ROOT.toFile());
        shell.environment().put("PURSER", service.address());
        shell.environment().put("PURSER_HOME", service.home().toString());
        Ended pasted = Ended.of(shell, commands);

        assertThat(pasted.status()).as(pasted.output()).isZero();
        return pasted.output()
                .lines()
                .filter(line -> !line.startsWith("curl: "))
                .map(JSON::readTree)
                .toList();
    }

    @Test
    @Order(5)
    void aThresholdQuestionIsAnsweredToo() throws IOException, InterruptedException {
        HttpResponse<String> reply =
                service.ask("/v1/datasets/visits/queries/threshold", service.key(), "first-bound", """
                        {"epsilon": "0.5", "threshold": 0, "queries": [{"clipLoss": {"column": "age", "bound": 20, \
                        "step": 1}},{"clipLoss": {"column": "age", "bound": 110, "step": 1}}]}""");

        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(JSON.readTree(reply.body())
                        .at("/mechanism/parameters/monotone")
                        .booleanValue())
                .isTrue();
    }

    @Test
    @Order(6)
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
            assertEverythingIsPrivate("ledger.db-wal", "ledger.db-shm", "rows.columns");
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
    @Order(7)
    void aSecondProcessOnTheSameHomeRefusesToStart() throws IOException, InterruptedException {
        assertThat(service.refusalOfASecondProcess())
                .contains(service.home().toString())
                .doesNotContain("\tat ");
    }

    @Test
    @Order(8)
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
    @Order(9)
    void theDataIsThereAfterThePowerCutAndTheBudgetGoesOnWhereItStood() throws IOException, InterruptedException {
        String key = service.key();
        HttpResponse<String> next = service.ask(ASK, key, "after-the-cut", MEAN);

        assertThat(next.statusCode()).as(next.body()).isEqualTo(200);
        assertThat(JSON.readTree(next.body()).at("/remaining/epsilon").stringValue())
                .isEqualTo("1");
        assertThat(JSON.readTree(next.body()).at("/answer/mean").doubleValue()).isBetween(0.0, 110.0);
    }

    @Test
    @Order(10)
    void whatIsNotThereAnyMoreCannotBeSpent() throws IOException, InterruptedException {
        HttpResponse<String> refusal = service.ask("/v1/datasets/visits/queries/count", service.key(), "too-much", """
                        {"epsilon": "1.000001"}""");

        assertThat(refusal.statusCode()).isEqualTo(409);
        assertThat(service.log()).as("the log of the whole walk").doesNotContain("\tat ");
        assertThat(JSON.readTree(refusal.body()).at("/shortfall/epsilon").stringValue())
                .isEqualTo("0.000001");
    }
}
