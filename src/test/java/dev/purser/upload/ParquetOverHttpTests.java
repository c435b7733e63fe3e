package dev.purser.upload;

import dev.purser.rows.StoredRows;
import dev.purser.web.RunningService;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

/** Parquet over HTTP: the same rows as from its CSV, and files that attack. */
class ParquetOverHttpTests extends RunningService {
    private static final Path CORPUS = Path.of("src/test/resources/parquet");
    private static final String ENCRYPTED = "the file is encrypted Parquet: send it without encryption";
    private static final String UNREADABLE = "the file is Parquet that cannot be read: it is damaged or has an encoding"
            + " that is not read; write it again with other settings, or send CSV";
    private static final String CUT_OFF = "the file does not end as Parquet does: it is cut off; send it again";

    /** Files of which all rows can be read: the reader does not need the wrong parts. */
    private static final Set<String> HARMLESS = Set.of("v2-uncompressed-large", "v2-uncompressed-small");

    /** A dataset that may have the rows of another dataset. */
    private String registered() throws Exception {
        return registered(COLUMNS, "1000", "add-or-remove-one", ",'declaredPublic':true");
    }

    private HttpResponse<String> upload(String id, Path file) throws Exception {
        return sendAs(
                key(),
                "PUT",
                "/v1/datasets/" + id + "/data",
                BodyPublishers.ofFile(file),
                "Content-Type",
                "application/vnd.apache.parquet");
    }

    @ParameterizedTest
    @ValueSource(strings = {"people", "people.gzip", "people.snappy", "people.zstd", "people.v2", "people.page-index"})
    void storesWhatItsCsvWouldStore(String name) throws Exception {
        String ofCsv = registered();
        assertStatus(200, upload(ofCsv, Files.readString(CORPUS.resolve("read/people.csv"))));
        String ofParquet = registered();
        assertStatus(200, upload(ofParquet, CORPUS.resolve("read/" + name + ".parquet")));
        assertThat(StoredRows.withoutOwner(folder(ofParquet).resolve("rows.columns")))
                .as("what follows, whose it is aside")
                .isEqualTo(StoredRows.withoutOwner(folder(ofCsv).resolve("rows.columns")));
        String older = quoted("{'epsilon':100,'where':[{'column':'age','atLeast':30}]}");
        assertThat(answer(ofParquet, "count", older)).isEqualTo(answer(ofCsv, "count", older));
    }

    @Test
    void itsUnitsAreIntegersIfTheirTextsAre() throws Exception {
        String id = newId();
        String registration = registration(id, "[" + SEX + "]", "1000", "add-or-remove-one", ",'declaredPublic':true");
        assertStatus(201, register(withUnit(registration, unit("age"))));
        JsonNode report = json(assertStatus(200, upload(id, CORPUS.resolve("read/people.parquet"))));
        List<String> rows = Files.readAllLines(CORPUS.resolve("read/people.csv"));
        assertThat(report.get("rowsStored").asLong())
                .isEqualTo(rows.stream()
                        .skip(1)
                        .map(row -> row.substring(0, row.indexOf(',')))
                        .distinct()
                        .count());
        String other = newId();
        assertStatus(201, register(withUnit(registration.replace(id, other), unit("hours"))));
        JsonNode refused = assertProblem(422, "invalid-data", upload(other, CORPUS.resolve("read/people.parquet")));
        assertThat(refused.at("/errors/0/column").asString()).isEqualTo("hours");
        assertThat(refused.at("/errors/0/line").asLong()).isEqualTo(1);
    }

    private static String unit(String column) {
        return "{'type':'column','column':'" + column + "','maxRows':1,'idType':'integer'}";
    }

    @Test
    void itsRowsAreThoseOfItsCsv() throws Exception {
        String ofCsv = registered(COLUMNS, "1", "replace-one", "");
        assertStatus(200, upload(ofCsv, "age,hours,sex\n" + "1,1,Male\n2,,Female\n3,0.25,\n"));
        String ofParquet = registered(COLUMNS, "1", "replace-one", "");
        assertProblem(409, "already-exists", upload(ofParquet, CORPUS.resolve("refused/rows/of-csv.parquet")));
    }

    /** A file whose footer is encrypted begins and ends with other letters than a plain file. */
    @Test
    void anEncryptedFileIsCalledSo() throws Exception {
        Path file = Files.createTempFile("encrypted", ".parquet");
        Files.writeString(file, "PARE" + "x".repeat(200) + "PARE");
        JsonNode problem = assertProblem(422, "invalid-data", upload(registered(), file));
        assertThat(problem.get("detail").asString()).isEqualTo(ENCRYPTED);
        Files.delete(file);
    }

    /** Takes the harmless files, and every sixth of the others. */
    @Tag("full")
    @Test
    void aDamagedFileIsRefusedOrHarmlessAndLeavesNothing() throws Exception {
        refusesOrTakes(6);
    }

    @Tag("deep")
    @Test
    void everyDamagedFileIsRefusedOrHarmlessAndLeavesNothing() throws Exception {
        refusesOrTakes(1);
    }

    private static List<Path> damaged(int every) throws IOException {
        try (Stream<Path> files = Files.list(CORPUS.resolve("refused/damaged"))) {
            List<Path> all = files.sorted().toList();
            return all.stream()
                    .filter(file -> all.indexOf(file) % every == 0 || HARMLESS.contains(name(file)))
                    .toList();
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".parquet", "");
    }

    private void refusesOrTakes(int every) throws Exception {
        Map<String, HttpResponse<String>> answers = new HashMap<>();
        Map<String, String> ids = new HashMap<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            Map<String, Future<HttpResponse<String>>> uploads = new HashMap<>();
            for (Path file : damaged(every)) {
                String id = registered();
                ids.put(name(file), id);
                uploads.put(name(file), threads.submit(() -> upload(id, file)));
            }
            for (Map.Entry<String, Future<HttpResponse<String>>> upload : uploads.entrySet()) {
                answers.put(upload.getKey(), upload.getValue().get());
            }
        }
        Set<String> taken = new TreeSet<>();
        for (Map.Entry<String, HttpResponse<String>> answer : answers.entrySet()) {
            String name = answer.getKey();
            List<Path> left = filesOf(ids.get(name));
            if (answer.getValue().statusCode() == 200) {
                taken.add(name);
                assertThat(left).as(name).containsExactly(folder(ids.get(name)).resolve("rows.columns"));
            } else {
                JsonNode problem = assertProblem(422, "invalid-data", answer.getValue());
                String detail = problem.get("detail").asString();
                // The service reads an empty header from a file without columns.
                assertThat(detail)
                        .as(name)
                        .satisfiesAnyOf(
                                said -> assertThat(said).startsWith("the file takes more than "),
                                said -> assertThat(said)
                                        .isIn(
                                                UNREADABLE,
                                                CUT_OFF,
                                                ENCRYPTED,
                                                "the file does not begin as Parquet does: send CSV as text/csv",
                                                "the header is empty: the file must name its columns, in CSV"
                                                        + " separated by commas"));
                assertThat(left).as(name).isEmpty();
            }
        }
        assertThat(taken).isEqualTo(HARMLESS);
        assertNoChildren();
    }

    @ParameterizedTest
    @CsvSource({
        "too-many, 1001, , there are more rows than the dataset's maxRows",
        "wrong-last-row, 1000, sex, the value is not one of the categories",
        "long-text, 2, , field",
        "name-long, , sex, the header does not have this column",
        "name-control, , , ",
        "unsupported-name, , 'größe\t\",\"', is not read from Parquet"
    })
    void refusesRowsThatBreakARule(String name, Long line, String column, String rule) throws Exception {
        String id = registered();
        HttpResponse<String> refused = upload(id, CORPUS.resolve("refused/rows/" + name + ".parquet"));
        JsonNode problem = assertProblem(422, "invalid-data", refused);
        JsonNode error = problem.at("/errors/0");
        assertThat(error.get("line").isNull() ? null : error.get("line").asLong())
                .isEqualTo(line);
        if (column != null) {
            assertThat(error.get("column").asString()).isEqualTo(column);
        }
        assertThat(problem.get("detail").asString()).contains(rule == null ? "" : rule);
        assertThat(filesOf(id)).isEmpty();
        assertNoChildren();
    }

    @ParameterizedTest
    @ValueSource(strings = {"brotli", "lzo"})
    void refusesCodecsThatAreNotRead(String name) throws Exception {
        JsonNode problem = assertProblem(
                422, "invalid-data", upload(registered(), CORPUS.resolve("refused/codec/" + name + ".parquet")));
        assertThat(problem.get("detail").asString()).contains("Brotli or LZO");
    }

    @Test
    void aCheckReadsAllOfItAndKeepsNothing() throws Exception {
        String id = registered();
        JsonNode bad = check(id, "refused/rows/wrong-last-row.parquet");
        assertThat(bad.get("wouldLoad").asBoolean()).isFalse();
        assertThat(bad.get("rowsRead").asLong()).isEqualTo(1000);
        assertThat(bad.at("/errors/0/line").asLong()).isEqualTo(1000);
        assertThat(check(id, "refused/damaged/page-negative.parquet")
                        .at("/errors/0/detail")
                        .asString())
                .isEqualTo(UNREADABLE);
        assertThat(check(id, "read/people.csv").at("/errors/0/detail").asString())
                .contains("send CSV as text/csv");
        assertThat(check(id, "read/people.parquet").get("wouldLoad").asBoolean())
                .isTrue();
        assertThat(filesOf(id)).isEmpty();
        assertThat(json(get("/v1/datasets/" + id)).get("state").asString()).isEqualTo("registered");
        assertNoChildren();
    }

    private JsonNode check(String id, String file) throws Exception {
        return json(assertStatus(
                200,
                sendAs(
                        key(),
                        "PUT",
                        "/v1/datasets/" + id + "/data?check=true",
                        BodyPublishers.ofFile(CORPUS.resolve(file)),
                        "Content-Type",
                        "application/vnd.apache.parquet")));
    }

    @Test
    void namesWhatIsSentAsTheOther() throws Exception {
        String asCsv = Files.readString(CORPUS.resolve("read/people.parquet"), ISO_8859_1);
        JsonNode problem = assertProblem(422, "invalid-data", upload(registered(), asCsv));
        assertThat(problem.get("detail").asString())
                .isEqualTo("the file is Parquet: send it as application/vnd.apache.parquet");
        assertThat(problem.at("/errors/0/line").isNull()).isTrue();
    }

    private static void assertNoChildren() throws IOException {
        assertThat(ProcessHandle.current().descendants())
                .noneMatch(child -> child.info().command().orElse("").endsWith("/java"));
        try (Stream<Path> all = Files.walk(home().resolve("datasets"))) {
            assertThat(all.filter(path -> path.endsWith("parquet"))).isEmpty();
        }
    }
}
