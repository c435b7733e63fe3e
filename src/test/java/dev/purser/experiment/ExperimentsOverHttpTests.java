package dev.purser.experiment;

import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Experiments and their jobs over HTTP. */
class ExperimentsOverHttpTests extends RunningService {
    private static final String SMALL = """
                    {"devices":50,"epsilons":["0.5"],"methods":["harmony","hiera"],"repetitions":3}""";
    private static final String LONG = """
                    {"distributions":["uniform"],"devices":1000000,"epsilons":["1"],"methods":["harmony"],\
                    "repetitions":40}""";
    private static final String REGRESSION = """
                    {"records":1500,"epsilons":[1],"methods":["harmony"],"repetitions":1}""";

    private HttpResponse<String> run(String key, String kind, String body) throws Exception {
        return postAs(key, "/v1/experiments/" + kind, body);
    }

    private String job(String key, String kind, String body) throws Exception {
        HttpResponse<String> reply = assertStatus(202, run(key, kind, body));
        String id = json(reply).get("jobId").asString();
        assertThat(reply.headers().firstValue("Location")).hasValue("/v1/jobs/" + id);
        return id;
    }

    private JsonNode ended(String key, String id) throws Exception {
        for (int i = 0; i < 1000; i++) {
            JsonNode job = json(assertStatus(200, getAs(key, "/v1/jobs/" + id)));
            if (!Set.of("queued", "running").contains(job.get("state").asString())) {
                return job;
            }
            Thread.sleep(10);
        }
        throw new AssertionError("job " + id + " goes on");
    }

    @Test
    void anExperimentBecomesATable() throws Exception {
        String ana = keyFor("analyst", "[]");
        String id = job(ana, "mean", SMALL);
        JsonNode job = ended(ana, id);

        assertThat(job.get("state").asString()).isEqualTo("done");
        assertThat(job.get("kind").asString()).isEqualTo("mean");
        assertThat(job.get("progress").decimalValue()).isEqualByComparingTo("1");
        JsonNode rows = job.at("/result/rows");
        // Three distributions, two methods, two comparisons.
        assertThat(rows).hasSize(12);
        assertThat(rows.get(0).get("epsilon").asString()).isEqualTo("0.5");
        assertThat(rows.get(1).get("epsilon").asString()).isEqualTo("4.648722865");
        assertThat(rows.get(0).get("reuse").isNull()).isTrue();
        assertThat(job.at("/result/statement").asString()).contains("50 values", "0.1");
        assertThat(job.at("/result/conclusions").get(0).asString()).contains("nominal");

        HttpResponse<String> csv = assertStatus(200, getAs(ana, "/v1/jobs/" + id, "Accept", "text/csv"));
        assertThat(csv.headers().firstValue("Content-Type")).hasValue("text/csv;charset=UTF-8");
        List<String> lines = csv.body().lines().toList();
        assertThat(lines).hasSize(13);
        assertThat(lines.getFirst())
                .isEqualTo("subject,comparison,nominalEpsilon,method,reuse,epsilon,meanAbsoluteError,"
                        + "absoluteStandardError,meanSquaredError,squaredStandardError,rounds,unusedReports");
        assertThat(lines.get(1)).startsWith("normal,nominal,0.5,harmony,,0.5,");
    }

    @Test
    void aRegressionBecomesATable() throws Exception {
        JsonNode job = ended(key(), job(key(), "regression", REGRESSION));
        // Two models, two comparisons; one method and two baselines.
        assertThat(job.at("/result/rows")).hasSize(12);
        assertThat(job.at("/result/rows/0/unusedReports").asInt()).isEqualTo(200);
        assertThat(job.at("/result/rows/2/epsilon").isNull()).isTrue();
        assertThat(job.at("/result/statement").asString()).contains("income");
    }

    @Test
    void aJobIsItsOwnersAndAdministrators() throws Exception {
        String ana = keyFor("analyst", "['*']");
        String ben = keyFor("analyst", "['*']");
        String id = job(ana, "mean", SMALL);

        assertProblem(404, "not-found", getAs(ben, "/v1/jobs/" + id));
        assertProblem(404, "not-found", getAs(ben, "/v1/jobs/" + id + "/events"));
        assertProblem(404, "not-found", sendAs(ben, "DELETE", "/v1/jobs/" + id, BodyPublishers.noBody()));
        assertThat(ended(key(), id).get("state").asString()).isEqualTo("done");
    }

    @Test
    void aJobIsCancelledAndItsEventsEnd() throws Exception {
        String ana = keyFor("analyst", "[]");
        String running = job(ana, "mean", LONG);
        String waiting = job(ana, "mean", LONG);
        HttpResponse<String> csv = assertStatus(200, getAs(ana, "/v1/jobs/" + waiting, "Accept", "text/csv"));
        assertThat(csv.body().lines()).hasSize(1);

        for (String id : List.of(waiting, running)) {
            assertStatus(204, sendAs(ana, "DELETE", "/v1/jobs/" + id, BodyPublishers.noBody()));
            assertThat(ended(ana, id).get("state").asString()).isEqualTo("cancelled");
            assertStatus(204, sendAs(ana, "DELETE", "/v1/jobs/" + id, BodyPublishers.noBody()));
        }
        HttpResponse<String> events = assertStatus(200, getAs(ana, "/v1/jobs/" + running + "/events"));
        assertThat(events.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        assertThat(events.body())
                .startsWith("retry: 1000\n\nevent: ended\ndata: {\"jobId\":\"" + running + "\"")
                .contains("\"state\":\"cancelled\"")
                .endsWith("\n\n");
    }

    @Test
    void eventsTellTheProgressAndTheEnd() throws Exception {
        String ana = keyFor("analyst", "[]");
        String id = job(ana, "mean", LONG.replace("1000000", "50000"));
        String events =
                assertStatus(200, getAs(ana, "/v1/jobs/" + id + "/events")).body();
        assertThat(events)
                .containsOnlyOnce("event: ended")
                .contains("event: progress")
                .contains("\"state\":\"done\",\"progress\":1")
                .doesNotContain("rows");
    }

    @Test
    void aPrincipalHasOnlySoManyJobsThatWait() throws Exception {
        String ana = keyFor("analyst", "[]");
        List<String> open = new java.util.ArrayList<>();
        for (int i = 0; i < 10; i++) {
            open.add(job(ana, "mean", LONG));
        }
        HttpResponse<String> refusal = run(ana, "mean", LONG);
        assertProblem(429, "too-many-requests", refusal);
        assertThat(refusal.headers().firstValue("Retry-After")).isPresent();
        for (String id : open) {
            assertStatus(204, sendAs(ana, "DELETE", "/v1/jobs/" + id, BodyPublishers.noBody()));
        }
    }

    @Test
    void everyBrokenRuleIsNamedAtOnceAndADatasetIsUnknown() throws Exception {
        JsonNode problem = assertProblem(422, "validation-failed", run(key(), "mean", """
                                {"devices":0,"epsilons":["9"],"methods":["hierra"],"datasetId":"adult"}"""));
        assertThat(places(problem))
                .containsExactlyInAnyOrder("/devices", "/epsilons/0", "/methods/0", "/repetitions", "/datasetId");
        assertProblem(400, "malformed-request", run(key(), "regression", "{"));
        assertProblem(422, "validation-failed", run(key(), "regression", "[]"));
        assertProblem(404, "not-found", run(key(), "median", SMALL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mean", "regression"})
    void theDescribedFieldsAreThoseThatAreReadAndTheirExamplesAreTaken(String kind) throws Exception {
        String name = kind.equals("mean") ? "MeanExperiment" : "RegressionExperiment";
        JsonNode schema = json(get("/openapi.json")).at("/components/schemas/" + name + "/properties");
        String refusal = run(key(), kind, """
                {"zz":1}""").body() + run(key(), kind, """
                        {"zz":1,"values":[0],"rows":[[0,0],[0,0],[0,0],[0,0],[0,0]]}""").body();
        Set<String> fields = new TreeSet<>(schema.propertyNames());
        assertThat(fields).allSatisfy(field -> assertThat(refusal).contains("\\\"" + field + "\\\""));

        StringBuilder example = new StringBuilder("{");
        schema.forEachEntry((field, property) -> {
            if (property.has("example")) {
                example.append(example.length() > 1 ? "," : "")
                        .append('"')
                        .append(field)
                        .append("\":")
                        .append(property.get("example"));
            }
        });
        String id = job(key(), kind, example.append('}').toString());
        assertThat(ended(key(), id).get("state").asString()).isEqualTo("done");
    }
}
