package dev.purser.upload;

import dev.purser.web.RunningService;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Data over HTTP: stored as a whole or not at all, once, and no value of it in a response or in the log. */
@ExtendWith(OutputCaptureExtension.class)
class UploadTests extends RunningService {
    private static final String ROWS = "age,hours,sex\n1,1,Male\n2,2,Female\n";
    private static final String AR = "add-or-remove-one";

    private String registered() throws Exception {
        // Most tests here put the same few rows.
        return registered(COLUMNS, "1000", AR, ",'declaredPublic':true");
    }

    private String state(String id) throws Exception {
        return shown("/v1/datasets/" + id).get("state").asString();
    }

    private static String digest(String text) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return "sha-256=:" + Base64.getEncoder().encodeToString(digest) + ":";
    }

    @Test
    void tellsTheCustodianWhatBecameOfTheUpload() throws Exception {
        String id = registered();
        String csv = "\uFEFFsex,\"age\",note,hours\r\nMale,1,\"a, \"\"b\"\"\nc\",\r\nFemale,999,x,1e9\r\n";
        JsonNode report = json(assertStatus(200, upload(id, csv, "Content-Type", "text/csv; charset=UTF-8")));
        assertThat(report).hasToString("""
                {"state":"ready","rowsRead":2,"rowsStored":2,"valuesClamped":2,"clamped":[{"column":"age","values":1},\
                {"column":"hours","values":1}],"substituted":[{"column":"hours","missing":1,"unlisted":0}],\
                "digest":"%s"}""".formatted(digest(csv)));
        assertThat(state(id)).isEqualTo("ready");
        assertThat(get("/v1/datasets/" + id).body()).doesNotContain("rowsRead", "rowsStored", "valuesClamped");
        assertThat(counted(id, quoted("{'column':'hours','atLeast':40,'atMost':40}")))
                .isEqualTo("1");
        assertProblem(409, "already-exists", upload(id, csv));
        assertThat(counted(id, "")).isEqualTo("2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "age,hours,sex\\n1,1,Male\\n47110815,1 | 3 |",
                "age,hours,sex\\nZz47110815,1,Male | 2 | age",
                "47110815,1,Male\\n47110815,1,Male | 1 | age"
            })
    void refusesDataThatBreaksARule(String csv, long line, @Nullable String column, CapturedOutput log)
            throws Exception {
        String id = registered();
        HttpResponse<String> refused = upload(id, csv.replace("\\n", "\n").replace("\\r", "\r"));
        JsonNode problem = assertProblem(422, "invalid-data", refused);
        assertThat(problem.has("line") || problem.has("column")).isFalse();
        assertThat(problem.at("/errors/0/line").asLong()).isEqualTo(line);
        assertThat(problem.at("/errors/0/column").asString(null)).isEqualTo(column);
        assertThat(problem.get("moreErrors").isInt()).isTrue();
        assertThat(problem.get("detail").asString()).contains("line " + line);
        assertThat(refused.body()).doesNotContain("47110815");
        assertThat(log.getAll()).doesNotContain("47110815");
        assertThat(state(id)).isEqualTo("failed");
        assertThat(filesOf(id)).isEmpty();
        assertProblem(409, "dataset-not-ready", ask(id, "count", quoted("{'epsilon':1}")));
        assertThat(spent(id)).isEqualTo("0");
        assertStatus(200, upload(id, ROWS));
        assertThat(counted(id, "")).isEqualTo("2");
    }

    private HttpResponse<String> put(String id, String query, String csv) throws Exception {
        return send("PUT", "/v1/datasets/" + id + "/data?" + query, csv, "Content-Type", "text/csv");
    }

    private static final String BAD =
            "age,hours,sex\n47110815,1,Male\nZz47110815,1,Female\n1,1,47110815\n2\n3,9e9,Male\n";
    private static final String ERRORS = """
            "errors":[{"line":3,"column":"age","detail":"the value is not an integer: correct it, or \
            list it in the column's missingSpellings if it stands for a missing value"},{"line":4,"column":"sex",\
            "detail":"the value is not one of the categories \\"Female\\", \\"Male\\", \\"\\": correct it, or \
            register the column with a substitute as missing"},{"line":5,"column":null,"detail":"the row does not have \
            as many fields as the header, which has 3: put values with commas or line ends in quotes, and leave row \
            names out"}],"moreErrors":0}""";

    @Test
    void aCheckTellsEverythingAtOnceAndKeepsNothing(CapturedOutput log) throws Exception {
        String id = registered();
        for (String state : List.of("registered", "failed")) {
            HttpResponse<String> check = assertStatus(200, put(id, "check=true", BAD));
            assertThat(check.body()).isEqualTo("""
                    {"wouldLoad":false,"rowsRead":5,"clamped":[{"column":"age","values":1},\
                    {"column":"hours","values":1}],"substituted":[],%s""", ERRORS);
            assertThat(assertStatus(200, put(id, "check=true&allowEmpty=false", ROWS))
                            .body())
                    .isEqualTo("""
                            {"wouldLoad":true,"rowsRead":2,"clamped":[],"substituted":[],"errors":[],\
                            "moreErrors":0}""");
            assertThat(state(id)).isEqualTo(state);
            assertThat(filesOf(id)).isEmpty();
            assertProblem(409, "dataset-not-ready", ask(id, "count", quoted("{'epsilon':1}")));
            HttpResponse<String> refused = upload(id, BAD);
            assertProblem(422, "invalid-data", refused);
            assertThat(refused.body()).endsWith(ERRORS).contains("(the first of 3 errors; see errors)");
        }
        assertStatus(200, put(id, "check=false", ROWS));
        assertProblem(409, "already-exists", put(id, "check=true", ROWS));
        assertThat(state(id)).isEqualTo("ready");
        assertThat(log.getAll()).doesNotContain("47110815");
    }

    /** A check that is misspelled must not load the file. */
    @ParameterizedTest
    @ValueSource(strings = {"check=", "check", "check=1", "check=TRUE", "allowEmpty=yes", "check=true&check=true"})
    void flagsAreTrueOrFalse(String query) throws Exception {
        String id = registered();
        JsonNode problem = assertProblem(422, "validation-failed", put(id, query, ROWS));
        assertThat(problem.at("/errors/0/parameter").asString()).isIn("check", "allowEmpty");
        assertThat(state(id)).isEqualTo("registered");
    }

    /** An upload of the same rows would be refused. */
    @Test
    void aCheckDoesNotFindThatRowsAreKnown() throws Exception {
        String rows = "age,hours,sex,of\n1,1,Male," + newId() + "\n";
        String first = registered(COLUMNS, "1", AR, "");
        assertStatus(200, upload(first, rows));
        String second = registered(COLUMNS, "1", AR, "");
        assertThat(json(assertStatus(200, put(second, "check=true", rows)))
                        .get("wouldLoad")
                        .asBoolean())
                .isTrue();
        assertProblem(409, "already-exists", upload(second, rows));
    }

    @Test
    void verifiesTheAnnouncedDigest() throws Exception {
        String id = registered();
        assertProblem(422, "invalid-data", upload(id, ROWS, "Content-Digest", digest("other")));
        assertThat(state(id)).isEqualTo("failed");
        assertThat(filesOf(id)).isEmpty();
        for (String malformed : List.of(
                "sha-256=abc",
                "sha-256=:abc:",
                "sha-512=:" + "A".repeat(86) + "==:",
                digest(ROWS).replace("sha-256", "SHA-256"),
                digest(ROWS) + ",",
                "x",
                "")) {
            JsonNode problem = assertProblem(422, "validation-failed", upload(id, ROWS, "Content-Digest", malformed));
            assertThat(places(problem)).containsExactly("Content-Digest");
        }
        assertStatus(200, upload(id, ROWS, "Content-Digest", "md5=:AAAA:, " + digest(ROWS)));
    }

    @Test
    void aRepeatedDigestCountsAsItsLastMember() throws Exception {
        String id = registered();
        assertProblem(422, "invalid-data", upload(id, ROWS, "Content-Digest", digest(ROWS) + ", " + digest("other")));
        assertStatus(200, upload(id, ROWS, "Content-Digest", digest("other") + ", " + digest(ROWS)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "text/plain",
                "text/csv; charset=ISO-8859-1",
                "text/csv;charset=utf-16",
                "application/x-www-form-urlencoded",
                "nonsense"
            })
    void takesCsvInUtf8Only(String type) throws Exception {
        String id = registered();
        assertProblem(415, "unsupported-media-type", upload(id, ROWS, "Content-Type", type));
        assertThat(state(id)).isEqualTo("registered");
    }

    @Test
    void takesNoContentCoding() throws Exception {
        String id = registered();
        assertProblem(415, "unsupported-media-type", upload(id, ROWS, "Content-Encoding", "gzip"));
        assertThat(state(id)).isEqualTo("registered");
        assertStatus(200, upload(id, ROWS, "Content-Encoding", "identity"));
    }

    @Test
    void aTornUploadLeavesNothing() throws Exception {
        for (String framing : List.of("Content-Length: 100000", "Transfer-Encoding: chunked")) {
            String id = registered();
            Socket socket = begin(id, framing);
            await(id, "loading");
            assertProblem(409, "already-exists", upload(id, ROWS));
            assertProblem(409, "dataset-not-ready", ask(id, "count", quoted("{'epsilon':1}")));
            socket.close();
            await(id, "failed");
            assertThat(filesOf(id)).isEmpty();
            assertStatus(200, upload(id, ROWS));
            assertThat(counted(id, "")).isEqualTo("2");
        }
    }

    @Test
    void ofUploadsAtTheSameTimeOneIsTaken() throws Exception {
        String id = registered();
        List<HttpResponse<String>> answers = atOnce(16, () -> upload(id, ROWS));
        assertThat(answers.stream().filter(each -> each.statusCode() == 200)).hasSize(1);
        for (HttpResponse<String> answer : answers) {
            if (answer.statusCode() != 200) {
                assertProblem(409, "already-exists", answer);
            }
        }
        assertThat(counted(id, "")).isEqualTo("2");
        assertThat(filesOf(id)).hasSize(1);
    }

    /** The client sends all first, as clients do that do not know 100 Continue. */
    @Test
    void tellsWhatIsWrongToWhoSendsAllBeforeReading() throws Exception {
        String id = registered();
        int bytes = 20_000_000;
        try (Socket socket = begin(id, "Content-Length: " + bytes)) {
            byte[] rest = new byte[bytes - "age,hours,sex\n1,1,Male\n".length()];
            Arrays.fill(rest, (byte) '"');
            socket.getOutputStream().write(rest);
            assertThat(firstLine(socket)).startsWith("HTTP/1.1 422 ");
        }
        await(id, "failed");
    }

    @Test
    void aFileThatIsAnnouncedTooLargeIsRefusedBeforeItIsSent() throws Exception {
        String id = registered();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("PUT /v1/datasets/" + id + "/data HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key()
                                    + "\r\nContent-Type: application/vnd.apache.parquet\r\nExpect: 100-continue\r\n"
                                    + "Content-Length: 8589934593\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(firstLine(socket)).startsWith("HTTP/1.1 413 ");
        }
        assertThat(state(id)).isEqualTo("registered");
    }

    @Test
    void aDatasetDeletedDuringItsUploadIsGone() throws Exception {
        String id = registered();
        try (Socket socket = begin(id, "Content-Length: 1000000")) {
            await(id, "loading");
            assertStatus(204, send("DELETE", "/v1/datasets/" + id, ""));
            assertProblem(404, "not-found", get("/v1/datasets/" + id));
            // This is long before the end of the upload.
            socket.getOutputStream().write("1,1,Male\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(firstLine(socket)).startsWith("HTTP/1.1 404 ");
        }
        assertThat(filesOf(id)).isEmpty();
        assertThat(folder(id)).doesNotExist();
        assertProblem(404, "not-found", upload(id, ROWS));
    }

    @Test
    void questionsAndADeletionAtTheSameTimeLeaveNothingOnTheDisk() throws Exception {
        for (int i = 0; i < 5; i++) {
            String id = dataset("1000", ROWS);
            List<HttpResponse<String>> answers =
                    atOnce(24, () -> ask(id, "count", """
                            {"epsilon":1}"""), () -> send("DELETE", "/v1/datasets/" + id, ""));
            int answered = 0;
            for (HttpResponse<String> answer : answers) {
                assertThat(answer.statusCode()).as(answer.body()).isIn(200, 204, 404, 503);
                answered += answer.statusCode() == 200 ? 1 : 0;
            }
            assertProblem(404, "not-found", ask(id, "count", quoted("{'epsilon':1}")));
            assertThat(folder(id)).doesNotExist();
            assertThat(openFilesOf(id)).isEmpty();
            assertThat(entries(id)).isGreaterThanOrEqualTo(1 + answered);
        }
    }

    @Test
    void aUnitKeepsNoMoreRowsThanRegistered() throws Exception {
        String id = newId();
        String unit = quoted("{'type':'column','column':'user','maxRows':3}");
        assertStatus(201, register(withUnit(registration(id, COLUMNS, "1000", AR, ""), unit)));
        StringBuilder csv = new StringBuilder("user,age,hours,sex\n");
        for (int i = 0; i < 10; i++) {
            csv.append("ann,1,1,Male\n").append(i < 2 ? "bob,2,1,Male\n" : "");
        }
        JsonNode report = json(assertStatus(200, upload(id, csv.toString())));
        assertThat(report.get("rowsRead")).hasToString("12");
        assertThat(report.get("rowsStored")).hasToString("5");
        assertThat(counted(id, quoted("{'column':'age','atMost':1}"))).isEqualTo("3");
        JsonNode envelope = json(ask(id, "count", quoted("{'epsilon':100}")));
        assertThat(envelope.at("/answer/count")).hasToString("5");
        assertThat(envelope.at("/guarantee/privacyUnit")).hasToString(unit);
        assertThat(invalidPlaces(ask(id, "count", """
                                {"epsilon":1,"where":[{"column":"user","in":["ann"]}]}"""))).containsExactly("/where/0/column");
        byte[] stored = Files.readAllBytes(folder(id).resolve("rows.columns"));
        assertThat(new String(stored, StandardCharsets.ISO_8859_1)).doesNotContain("ann", "bob");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {"``, 5", "`,'idType':'text'`, 5", "`,'idType':null`, 5", "`,'idType':'integer'`, 2"})
    void unitsAreComparedAsRegistered(String idType, int stored) throws Exception {
        String id = newId();
        String unit = "{'type':'column','column':'user','maxRows':1" + idType + "}";
        String rows = registration(id, COLUMNS, "1000", AR, ",'declaredPublic':true");
        assertStatus(201, register(withUnit(rows, unit)));
        assertThat(json(get("/v1/datasets/" + id)).at("/privacyUnit/idType").asString())
                .isEqualTo(stored == 2 ? "integer" : "text");
        JsonNode report = json(assertStatus(
                200,
                upload(id, "user,age,hours,sex\n1,1,1,Male\n01,1,1,Male\n 1,1,1,Male\n+1,1,1,Male\n-1,1,1,Male\n")));
        assertThat(report.get("rowsStored").asInt()).isEqualTo(stored);
        assertThat(answer(id, "count", quoted("{'epsilon':100}")).get("count").asInt())
                .isEqualTo(stored);
    }

    @Test
    void aDatasetWithoutRowsCanBeAskedAbout() throws Exception {
        String id = registered();
        assertProblem(422, "invalid-data", upload(id, "age,hours,sex\n"));
        assertStatus(200, put(id, "allowEmpty=true", "age,hours,sex\n"));
        assertThat(counted(id, "")).isEqualTo("0");
        for (String method : List.of("auto-clip", "sum-and-count", "centered")) {
            assertStatus(200, ask(id, "mean", """
                    {"epsilon":1,"column":"age","method":"%s"}""".formatted(method)));
        }
        String replaced = registered(COLUMNS, "10", "replace-one", "");
        assertStatus(200, put(replaced, "allowEmpty=true", "age,hours,sex\n"));
        assertStatus(200, ask(replaced, "mean", quoted("{'epsilon':1,'column':'age','method':'known-count'}")));
    }

    @Test
    void noValueAndNoExactCountReachesTheLog(CapturedOutput log) throws Exception {
        String column = quoted("[{'name':'value','type':'integer','lower':0,'upper':99999999}]");
        String id = registered(column, "1000", AR, "");
        assertStatus(200, upload(id, "value\n" + "73939133\n".repeat(337)));
        assertStatus(200, ask(id, "count", quoted("{'epsilon':100}")));
        assertStatus(200, ask(id, "sum", quoted("{'epsilon':100,'column':'value'}")));
        assertStatus(200, ask(id, "mean", quoted("{'epsilon':100,'column':'value','method':'auto-clip'}")));
        assertStatus(200, ask(id, "sparse-range", """
                                {"epsilon":100,"column":"value","threshold":100,"maxPositives":1,"release":"values",\
                                "ranges":[{"atLeast":0}]}"""));
        // The file no longer contains rows in their format. Whatever reads the file may quote it.
        String broken = registered(column, "1000", AR, "");
        assertStatus(200, upload(broken, "value\n73939133\n"));
        Files.writeString(folder(broken).resolve("rows.columns"), "73939133 ".repeat(5000));
        HttpResponse<String> failed = ask(broken, "count", quoted("{'epsilon':1}"));
        assertProblem(503, "temporarily-unavailable", failed);
        assertThat(failed.body()).doesNotContain("73939133", "rows.columns", "Exception");
        // Random ids of questions can have these digits among letters.
        assertThat(log.getAll())
                .doesNotContain("73939133", key())
                .doesNotContainPattern("(?<![0-9A-Za-z.:-])337(?![0-9A-Za-z])");
    }

    @Test
    void showsItsCustodianHowFarAnUploadIs() throws Exception {
        String id = newId();
        String many = registration(id, COLUMNS, "1000", AR, ",'declaredPublic':true");
        assertStatus(201, register(withMaxRows(many, 100_000)));
        assertThat(json(get("/v1/datasets/" + id)).get("rowsSoFar").isNull()).isTrue();
        try (Socket socket = begin(id, "Content-Length: 1000000")) {
            await(id, "loading");
            // The state is there a moment before the number.
            Instant end = Instant.now().plus(Duration.ofSeconds(30));
            while (json(get("/v1/datasets/" + id)).get("rowsSoFar").isNull()) {
                assertThat(Instant.now()).isBefore(end);
            }
            assertThat(json(get("/v1/datasets/" + id)).get("rowsSoFar").asString())
                    .isEqualTo("0");
            socket.getOutputStream().write("1,1,Male\n".repeat(30_000).getBytes(StandardCharsets.US_ASCII));
            while (json(get("/v1/datasets/" + id)).get("rowsSoFar").asLong() == 0) {
                assertThat(Instant.now()).isBefore(end);
            }
            assertThat(json(get("/v1/datasets/" + id)).get("rowsSoFar").asLong())
                    .isBetween(4096L, 30_001L);
            String analyst = keyFor("analyst", "['" + id + "']");
            JsonNode seen = shownTo(analyst, "/v1/datasets/" + id);
            assertThat(seen.get("state").asString()).isEqualTo("not-ready");
            assertThat(seen.get("rowsSoFar").isNull()).isTrue();
        }
        await(id, "failed");
        assertThat(json(get("/v1/datasets/" + id)).get("rowsSoFar").isNull()).isTrue();
    }

    /** Sends the head of an upload and its first row, and leaves the rest out. */
    private Socket begin(String id, String framing) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        String first = "age,hours,sex\n1,1,Male\n";
        String body =
                framing.startsWith("Transfer") ? Integer.toHexString(first.length()) + "\r\n" + first + "\r\n" : first;
        socket.getOutputStream()
                .write(("PUT /v1/datasets/" + id + "/data HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key()
                                + "\r\nContent-Type: text/csv\r\n" + framing + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String firstLine(Socket socket) throws IOException {
        socket.setSoTimeout(10_000);
        StringBuilder line = new StringBuilder();
        InputStream in = socket.getInputStream();
        for (int next = in.read(); next >= 0 && next != '\r'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    private void await(String id, String state) throws Exception {
        Instant end = Instant.now().plus(Duration.ofSeconds(10));
        while (!state(id).equals(state)) {
            assertThat(Instant.now()).as("still " + state(id)).isBefore(end);
        }
    }

    /** What this process holds open below a dataset's folder, whether or not it still has a name. */
    private static List<String> openFilesOf(String id) throws IOException {
        List<String> open = new ArrayList<>();
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            for (var file : files.toList()) {
                try {
                    String target = Files.readSymbolicLink(file).toString();
                    if (target.contains("/datasets/" + id + "/")) {
                        open.add(target);
                    }
                } catch (IOException closedMeanwhile) {
                    // The file is not open any more.
                }
            }
        }
        return open;
    }

    @SafeVarargs
    private static <T> List<T> atOnce(int times, Callable<T> work, Callable<T>... once) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                futures.add(threads.submit(work));
                if (i == times / 2) {
                    for (Callable<T> each : once) {
                        futures.add(threads.submit(each));
                    }
                }
            }
            List<T> done = new ArrayList<>();
            for (Future<T> future : futures) {
                done.add(future.get());
            }
            return done;
        }
    }
}
