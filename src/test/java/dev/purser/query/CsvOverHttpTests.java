package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Answers that are tables, and the ledger, as CSV. What is stored stays JSON. */
class CsvOverHttpTests extends RunningService {
    private static final String VARIES_BY_ACCEPT = "(?i)(.*, ?)?accept(,.*)?";
    private static final String CSV = "text/csv;charset=UTF-8";
    private static final String BINS = "lower,upper,category,count,interval.low,interval.high";
    private static final String EDGES = quoted("{'epsilon':1,'column':'age','edges':[0,20,125]}");

    private static String id = "";

    @BeforeEach
    void makeTheDataset() throws Exception {
        if (id.isEmpty()) {
            id = dataset("1000", "age,hours,sex\n1,1,Male\n");
        }
    }

    private static String header(HttpResponse<String> response, String name) {
        return String.join(", ", response.headers().allValues(name));
    }

    private static List<String> lines(HttpResponse<String> response) {
        assertThat(header(assertStatus(200, response), "Content-Type")).isEqualTo(CSV);
        assertThat(header(response, "Vary")).matches(VARIES_BY_ACCEPT);
        assertThat(response.body()).endsWith("\r\n");
        return List.of(response.body().split("\r\n", -1));
    }

    private static List<String> expected(JsonNode answer) {
        List<String> lines = new ArrayList<>(List.of(BINS));
        for (JsonNode bin : answer.at("/answer/bins")) {
            lines.add(String.join(
                    ",",
                    bin.path("lower").asString(""),
                    bin.path("upper").asString(""),
                    "",
                    bin.get("count").toString(),
                    bin.at("/interval/low").toString(),
                    bin.at("/interval/high").toString()));
        }
        lines.add("");
        return lines;
    }

    @Test
    void aHistogramIsAskedReplayedAndReadAgainAsCsv() throws Exception {
        HttpResponse<String> asked = ask(id, "histogram", EDGES, "Idempotency-Key", "csv-1", "Accept", "text/csv");
        List<String> lines = lines(asked);
        HttpResponse<String> replayed = assertStatus(200, ask(id, "histogram", EDGES, "Idempotency-Key", "csv-1"));
        assertThat(header(replayed, "Idempotency-Replayed")).isEqualTo("true");
        assertThat(header(replayed, "Content-Type")).isEqualTo("application/json");
        assertThat(header(replayed, "Vary")).matches(VARIES_BY_ACCEPT);
        assertThat(lines).isEqualTo(expected(json(replayed))).hasSize(4);

        String path = "/v1/queries/" + json(replayed).get("queryId").asString();
        HttpResponse<String> stored = assertStatus(200, get(path));
        assertThat(stored.body()).isEqualTo(replayed.body());
        HttpResponse<String> read = get(path, "Accept", "text/csv");
        assertThat(read.body()).isEqualTo(asked.body());
        assertThat(lines(read)).isEqualTo(lines);
        assertThat(header(stored, "Vary")).matches(VARIES_BY_ACCEPT);
        String etag = header(read, "ETag");
        assertThat(etag).isEqualTo(header(stored, "ETag").replaceAll("\"$", "-csv\""));
        HttpResponse<String> unchanged = get(path, "Accept", "text/csv", "If-None-Match", etag);
        assertStatus(304, unchanged);
        assertThat(header(unchanged, "Vary")).matches(VARIES_BY_ACCEPT);
        assertStatus(200, get(path, "If-None-Match", etag));
        assertStatus(200, get(path, "Accept", "text/csv", "If-None-Match", header(stored, "ETag")));
    }

    @Test
    void quantilesAreCsv() throws Exception {
        List<String> lines = lines(ask(id, "quantile", """
                        {"epsilon":1,"column":"hours",\
                        "probabilities":[0.25,0.5]}""", "Accept", "text/html, text/*;q=0.5"));
        assertThat(lines).hasSize(4).startsWith("probability,value,interval.low,interval.high");
        assertThat(lines.get(1)).matches("0\\.25(,[0-9.]+){3}");
    }

    @Test
    void anAnswerOfManyPartsIsRendered() throws Exception {
        String wide = dataset("1000", "n\n5\n", """
                        [{"name":"n","type":"integer","lower":0,"upper":100000}]""", "add-or-remove-one");
        HttpResponse<String> asked = ask(wide, "histogram", histogram("1", "n", 0, 5_000));
        assertThat(asked.body().length()).isGreaterThan(3 << 16);
        HttpResponse<String> read =
                get("/v1/queries/" + json(asked).get("queryId").asString(), "Accept", "text/csv");
        assertThat(lines(read)).isEqualTo(expected(json(asked))).hasSize(5_002);
    }

    @Test
    void jsonIsPreferredUnlessCsvIsAskedFor() throws Exception {
        String path =
                "/v1/queries/" + answered(id, "histogram", EDGES).get("queryId").asString();
        for (String accept :
                List.of("*/*", "application/*", "application/json, text/csv", "text/csv;q=0.1,*/*;q=0.5")) {
            assertThat(header(get(path, "Accept", accept), "Content-Type"))
                    .as(accept)
                    .isEqualTo("application/json");
        }
        for (String accept :
                List.of("text/csv", "text/*", "text/csv;charset=utf-8;header=present", "text/csv,*/*;q=0.1")) {
            assertThat(header(get(path, "Accept", accept), "Content-Type"))
                    .as(accept)
                    .isEqualTo(CSV);
        }
        assertProblem(406, "not-acceptable", get(path, "Accept", "image/png"));
    }

    @Test
    void anAnswerThatIsNoTableIsRefusedAsCsvBeforeItIsCharged() throws Exception {
        String spent = spent(id);
        int entries = entries(id);
        for (String kind : List.of("count", "sum", "mean", "threshold", "sparse-range")) {
            JsonNode problem = assertProblem(406, "not-acceptable", ask(id, kind, """
                            {"epsilon":1}""", "Accept", "text/csv"));
            assertThat(problem.get("detail").asString()).isEqualTo("Accept must admit application/json");
        }
        assertProblem(406, "not-acceptable", ask(id, "histogram", EDGES, "Accept", "text/html"));
        assertProblem(422, "validation-failed", ask(id, "histogram", "{}", "Accept", "text/csv"));
        assertThat(spent(id)).isEqualTo(spent);
        assertThat(entries(id)).isEqualTo(entries);
        HttpResponse<String> count = assertStatus(200, ask(id, "count", quoted("{'epsilon':1}")));
        String path = "/v1/queries/" + json(count).get("queryId").asString();
        assertProblem(406, "not-acceptable", get(path, "Accept", "text/csv"));
        assertStatus(200, get(path, "Accept", "text/csv, application/json;q=0.2"));
        assertProblem(404, "not-found", get("/v1/queries/nothing", "Accept", "text/csv"));
    }

    @Test
    void theLedgerIsCsv() throws Exception {
        String zcdp = dataset("zcdp", "3", "1e-6");
        HttpResponse<String> allotted = send(
                "PUT",
                "/v1/datasets/" + zcdp + "/allotments/admin",
                BodyPublishers.ofString(quoted("{'epsilon':1,'delta':1e-6}")),
                "Content-Type",
                "application/json");
        assertStatus(200, allotted);
        assertStatus(200, ask(zcdp, "count", quoted("{'epsilon':0.1}")));
        String path = "/v1/datasets/" + zcdp + "/ledger";
        HttpResponse<String> page = assertStatus(200, get(path));
        assertThat(header(page, "Vary")).matches(VARIES_BY_ACCEPT);
        JsonNode items = json(page).get("items");
        List<String> lines = lines(get(path, "Accept", "text/csv"));
        assertThat(lines).hasSize(5);
        assertThat(lines.getFirst()).startsWith("sequence,at,type,analyst,queryId,kind,requestHash,charge.epsilon");
        for (int i = 0; i < 3; i++) {
            String[] cells = lines.get(i + 1).split(",", -1);
            assertThat(cells).hasSizeGreaterThanOrEqualTo(47);
            assertThat(cells[0]).isEqualTo(items.get(i).get("sequence").toString());
            assertThat(cells[9]).isEqualTo(items.get(i).at("/charge/rho").asString());
            assertThat(cells[16]).isEqualTo(i == 0 ? "" : "admin");
            assertThat(cells[24]).isEqualTo(items.get(i).get("hash").asString());
        }
        assertThat(lines.get(3)).contains("\"{\"\"epsilon\"\":");
        HttpResponse<String> first = get(path + "?limit=2&order=desc", "Accept", "text/csv");
        assertThat(lines(first)).containsExactly(lines.get(0), lines.get(3), lines.get(2), "");
        String link = header(first, "Link");
        assertThat(link).isEqualTo("<" + path + "?after=2&limit=2&order=desc>; rel=\"next\"");
        HttpResponse<String> second = get(link.substring(1, link.indexOf('>')), "Accept", "text/csv");
        assertThat(lines(second)).containsExactly(lines.get(0), lines.get(1), "");
        assertThat(header(second, "Link")).isEmpty();
        assertThat(lines(get(path + "?after=99", "Accept", "text/csv"))).containsExactly(lines.get(0), "");
        assertProblem(422, "validation-failed", get(path + "?limit=0", "Accept", "text/csv"));
        assertProblem(406, "not-acceptable", get("/v1/keys", "Accept", "text/csv"));
        assertProblem(406, "not-acceptable", get("/v1/datasets/" + zcdp + "/queries", "Accept", "text/csv"));
    }

    @Test
    void csvIsDescribedWhereItIsServed() throws Exception {
        JsonNode paths = json(get("/openapi.json")).get("paths");
        List<String> described = new ArrayList<>();
        paths.forEachEntry((path, item) -> item.forEachEntry((method, operation) -> {
            JsonNode csv = operation.at("/responses/200/content/text~1csv/schema");
            if (!csv.isMissingNode()) {
                described.add(method + " " + path);
                assertThat(csv.get("type").asString()).isEqualTo("string");
                assertThat(csv.get("description").asString()).contains("apostrophe");
                assertThat(operation
                                .at("/responses/200/content/application~1json/schema/$ref")
                                .isString())
                        .as(path)
                        .isTrue();
            }
        }));
        assertThat(described)
                .containsExactlyInAnyOrder(
                        "post /v1/datasets/{id}/queries/histogram",
                        "post /v1/datasets/{id}/queries/aggregate",
                        "post /v1/datasets/{id}/queries/quantile",
                        "get /v1/queries/{queryId}",
                        "get /v1/synopses/{synopsisId}/tables",
                        "get /v1/synopses/{synopsisId}/rows",
                        "get /v1/datasets/{id}/blocks",
                        "get /v1/datasets/{id}/ledger",
                        "post /v1/queries/{queryId}/refinements");
    }
}
