package dev.purser.watch;

import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators see: metrics, and one line for every request. */
@ExtendWith(OutputCaptureExtension.class)
class WatchingOverHttpTests extends RunningService {
    private static final String CSV = "age,hours,sex\n17,1,Male\n30,2,Female\n";
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    private String metrics() throws Exception {
        return assertStatus(200, getAs(keyFor("operator", "[]"), "/actuator/prometheus"))
                .body();
    }

    /** The value of one series; zero if the series is missing. */
    private static double value(String metrics, String series) {
        return metrics.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .sum();
    }

    /** The lines of requests so far. The line of a request is written after its response was sent. */
    private static List<String> lines(CapturedOutput output, String part) throws InterruptedException {
        for (int attempt = 0; attempt < 200; attempt++) {
            List<String> found = output.getAll()
                    .lines()
                    .filter(line -> line.contains(" requests - ") && line.contains(part))
                    .toList();
            if (!found.isEmpty()) {
                return found;
            }
            Thread.sleep(50);
        }
        return List.of();
    }

    /** The alerts are about existing metrics and labels. A meter without a value yet is shown by its first value. */
    @Test
    void everyMetricOfAnAlertIsServed() throws Exception {
        assertStatus(200, ask(dataset("3", CSV), "count", """
                {"epsilon":"0.4"}"""));
        String alerts = Files.readString(Path.of("deploy/prometheus/alerts.yaml"));
        List<String> names = Pattern.compile("\\bpurser_\\w+(\\{type=\"[a-z-]+\")?")
                .matcher(alerts)
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
        assertThat(names).hasSizeGreaterThan(5);
        String served = metrics();
        assertThat(names)
                .allSatisfy(name -> assertThat(served.lines())
                        .anyMatch(line -> line.startsWith(name)
                                && (name.contains("{") || Set.of(' ', '{').contains(line.charAt(name.length())))));
    }

    @Test
    void anIdThatARequestBringsIsSentBackUnlessItHasAnotherForm() throws Exception {
        assertThat(get("/v1/mechanisms", "X-Request-Id", "of-the-proxy.7")
                        .headers()
                        .allValues("X-Request-Id"))
                .containsExactly("of-the-proxy.7");
        for (String other : List.of("a b", "x".repeat(65), "{\"level\":\"error\"}")) {
            assertThat(get("/v1/mechanisms", "X-Request-Id", other).headers().allValues("X-Request-Id"))
                    .as(other)
                    .isEmpty();
        }
    }

    @Test
    void showsWhatRemainsOfEachBudget() throws Exception {
        String pure = dataset("3", CSV);
        assertStatus(200, ask(pure, "count", """
                {"epsilon":"0.4"}"""));
        String zcdp = unready("zcdp", "3", "1e-6", "add-or-remove-one");
        String approximate = unready("approximate", "2", "1e-6", "add-or-remove-one");
        String deleted = registered(COLUMNS, "1", "add-or-remove-one", "");
        assertStatus(204, send("DELETE", "/v1/datasets/" + deleted, BodyPublishers.noBody()));
        String metrics = metrics();
        String of = "{dataset=\"%s\"}";
        assertThat(value(metrics, "purser_budget_remaining_epsilon" + of.formatted(pure)))
                .isEqualTo(2.6);
        assertThat(value(metrics, "purser_budget_limit_epsilon" + of.formatted(pure)))
                .isEqualTo(3);
        assertThat(value(metrics, "purser_budget_remaining_epsilon" + of.formatted(approximate)))
                .isEqualTo(2);
        assertThat(value(metrics, "purser_budget_remaining_delta" + of.formatted(approximate)))
                .isEqualTo(1e-6);
        double rho = json(get("/v1/datasets/" + zcdp + "/budget"))
                .at("/remaining/rho")
                .asDouble();
        assertThat(value(metrics, "purser_budget_remaining_rho" + of.formatted(zcdp)))
                .isEqualTo(rho)
                .isPositive();
        assertThat(metrics)
                .doesNotContain(
                        "purser_budget_remaining_epsilon" + of.formatted(zcdp),
                        "purser_budget_remaining_delta" + of.formatted(pure),
                        "purser_budget_remaining_rho" + of.formatted(pure),
                        of.formatted(deleted));
    }

    @Test
    void countsAndTimesWhatIsAsked() throws Exception {
        String before = metrics();
        String id = dataset("3", CSV);
        assertStatus(200, ask(id, "count", """
                {"epsilon":"0.4"}"""));
        assertStatus(200, ask(id, "mean", """
                {"epsilon":"0.4","column":"age"}"""));
        assertStatus(409, ask(id, "count", """
                {"epsilon":"100"}"""));
        assertStatus(200, postAs(key(), "/v1/datasets/" + id + "/quotes/count", """
                {"epsilon":"1"}"""));
        assertStatus(404, postAs(key(), "/v1/datasets/" + id + "/quotes/secret-kind", """
                {"epsilon":"1"}"""));
        assertStatus(200, postAs(key(), "/v1/datasets/" + id + "/quotes", """
                                {"questions":[{"kind":"count","request":{"epsilon":1}}]}"""));
        assertStatus(200, postAs(key(), "/v1/datasets/" + id + "/queries", """
                                {"questions":[{"kind":"sum","request":{"epsilon":1,"column":"age"}}]}"""));
        HttpResponse<String> bought = postAs(key(), "/v1/datasets/" + id + "/synopses", """
                {"epsilon":"0.1","columns":[{"column":"sex"}]}""");
        String synopsis = json(assertStatus(201, bought)).get("queryId").asString();
        assertStatus(422, postAs(key(), "/v1/synopses/" + synopsis + "/refinements", """
                {"epsilon":"100"}"""));
        String after = metrics();
        for (String series : """
                purser_questions_seconds_count{kind="plan",outcome="answered"}
                purser_questions_seconds_count{kind="count",outcome="answered"}
                purser_questions_seconds_count{kind="mean",outcome="answered"}
                purser_questions_seconds_count{kind="count",outcome="budget-exhausted"}
                purser_questions_seconds_count{kind="synopsis",outcome="answered"}
                purser_questions_seconds_count{kind="refinement",outcome="not-refinable"}
                purser_quotes_seconds_count{kind="count",outcome="answered"}
                purser_quotes_seconds_count{kind="plan",outcome="answered"}
                purser_quotes_seconds_count{kind="none",outcome="not-found"}
                purser_problems_total{type="budget-exhausted"}
                purser_uploads_begun_total""".split("\n")) {
            assertThat(value(after, series) - value(before, series)).as(series).isEqualTo(1);
        }
        assertThat(value(after, "purser_engine_reads_seconds_count{source=\"upload\"}"))
                .isGreaterThanOrEqualTo(value(before, "purser_engine_reads_seconds_count{source=\"upload\"}") + 2);
        assertThat(value(after, "purser_ledger_commits_seconds_count"))
                .isGreaterThanOrEqualTo(value(before, "purser_ledger_commits_seconds_count") + 4);
        assertThat(after)
                .contains(
                        "purser_questions_waiting 0.0",
                        "purser_questions_memory_bytes 0.0",
                        "purser_release_overruns_total 0.0",
                        "purser_problems_total{type=\"invalid-data\"}");
    }

    @Test
    void noLabelNamesAnAnalystAnAddressOrAValue() throws Exception {
        String name = newName();
        String id = dataset("3", CSV);
        String analyst = keyFor(name, "analyst", "['" + id + "']");
        HttpResponse<String> answer = postAs(
                analyst, "/v1/datasets/" + id + "/queries/count", """
                        {"epsilon":"0.4","where":[{"column":"sex",\
                        "in":["Female"]}]}""", "Idempotency-Key", "secret-idempotency-key");
        String queryId = json(assertStatus(200, answer)).get("queryId").asString();
        assertStatus(200, getAs(analyst, "/v1/queries/" + queryId));
        assertStatus(404, get("/v1/secret-address?secret=parameter"));
        assertStatus(405, send("SECRET", "/v1/datasets", BodyPublishers.noBody()));
        String metrics = metrics();
        assertThat(metrics).doesNotContain(queryId, "secret", "SECRET", "Female");
        for (String line : metrics.lines().toList()) {
            for (MatchResult label : LABEL.matcher(line).results().toList()) {
                assertThat(label.group(2)).as(line).isNotEqualTo(name);
                if (label.group(2).equals(id)) {
                    assertThat(line).startsWith("purser_budget_").contains("{dataset=\"" + id + "\"}");
                }
            }
        }
    }

    @Test
    void oneLineForARequestSaysWhoAskedWhat(CapturedOutput output) throws Exception {
        String name = newName();
        String id = dataset("3", CSV);
        String analyst = keyFor(name, "analyst", "['" + id + "']");
        String body = """
                {"epsilon":"0.437125","where":[{"column":"sex","in":["Female"]}]}""";
        HttpResponse<String> answer = postAs(
                analyst, "/v1/datasets/" + id + "/queries/count", body, "Idempotency-Key", "secret-idempotency-key");
        String queryId = json(assertStatus(200, answer)).get("queryId").asString();
        assertThat(lines(output, queryId))
                .singleElement()
                .asString()
                .containsPattern(Pattern.compile(" " + name + " POST /v1/datasets/\\{id}/queries/count " + id
                        + " 200 \\d+ms " + queryId + " -$"));
        assertStatus(200, getAs(analyst, "/v1/queries/" + queryId));
        assertThat(lines(output, "/v1/queries/{queryId}"))
                .singleElement()
                .asString()
                .contains(" " + name + " GET /v1/queries/{queryId} - 200 ", "ms " + queryId + " -");
        assertStatus(409, postAs(analyst, "/v1/datasets/" + id + "/queries/count", body.replace("0.437125", "99")));
        assertThat(lines(output, "budget-exhausted"))
                .singleElement()
                .asString()
                .contains(" " + name + " POST /v1/datasets/{id}/queries/count " + id + " 409 ", "ms - budget-ex");
        assertStatus(422, getAs(analyst, "/v1/keys/self?secret=parameter"));
        assertThat(output.getAll())
                .doesNotContain(analyst, key(), "secret", "Female", "0.437125", "Bearer")
                .doesNotContain(analyst.substring(30));
    }

    @Test
    void theLineOfAQuestionThatWasChargedAndNotAnsweredNamesIt(CapturedOutput output) throws Exception {
        String id = dataset("3", CSV);
        Files.writeString(folder(id).resolve("rows.columns"), "no rows");
        JsonNode problem = assertProblem(503, "temporarily-unavailable", ask(id, "count", """
                {"epsilon":"0.4"}"""));
        String queryId = json(assertStatus(200, get("/v1/datasets/" + id + "/queries")))
                .at("/items/0/queryId")
                .asString();
        assertThat(problem.get("queryId").asString()).isEqualTo(queryId);
        assertThat(lines(output, queryId))
                .singleElement()
                .asString()
                .contains(" admin POST /v1/datasets/{id}/queries/count " + id + " 503 ")
                .endsWith("ms " + queryId + " temporarily-unavailable");
    }

    @Test
    void everyResponseHasALineButThoseOfHealthChecks(CapturedOutput output) throws Exception {
        assertStatus(401, sendAs("", "GET", "/v1/secret-a", BodyPublishers.noBody()));
        assertThat(lines(output, "unauthorized"))
                .singleElement()
                .asString()
                .contains(" - GET - - 401 ", "ms - unauthorized");
        assertStatus(431, sendAs("", "GET", "/v1/datasets", BodyPublishers.noBody(), "X-Secret", "s".repeat(17_000)));
        assertThat(lines(output, "header-too-large")).hasSize(1);
        assertStatus(400, sendAs("", "GET", "/v1//datasets", BodyPublishers.noBody()));
        assertThat(lines(output, "malformed-request")).hasSize(1);
        assertStatus(404, get("/v1/datasets/%22secret%20b"));
        assertThat(lines(output, "not-found"))
                .singleElement()
                .asString()
                .contains(" admin GET /v1/datasets/{id} - 404 ", "ms - not-found");
        assertStatus(405, send("SECRET", "/v1/datasets", BodyPublishers.noBody()));
        assertThat(lines(output, "method-not-allowed"))
                .singleElement()
                .asString()
                .contains(" admin - - - 405 ");
        for (String path : List.of("/actuator/health", "/actuator/health/liveness", "/actuator/health/db")) {
            sendAs("", "GET", path, BodyPublishers.noBody());
        }
        assertStatus(200, get("/v1/keys/self"));
        assertThat(lines(output, " admin GET /v1/keys/self")).hasSize(1);
        assertThat(output.getAll()).doesNotContain("health", "ecret", "SECRET", "sss");
    }

    @Test
    void metricsAreReadInTheFormOfPrometheus() throws Exception {
        HttpResponse<String> response = getAs(keyFor("operator", "[]"), "/actuator/prometheus");
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
        assertThat(Arrays.asList("jvm_memory_used_bytes", "http_server_requests_seconds_count"))
                .allMatch(name -> response.body().contains(name + "{"));
        JsonNode description = json(get("/openapi.json"));
        assertThat(description.get("paths").propertyNames()).noneMatch(path -> path.startsWith("/actuator"));
    }
}
