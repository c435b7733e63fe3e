package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The same question, asked again over HTTP with {@code reuse}. */
class ReuseTests extends RunningService {
    private static final String MEAN = """
            {"epsilon":"0.5","column":"age","reuse":true}""";
    private static final int REFRESHES = 60;
    private static final int CLIENTS = 8;

    private String dataset = "";

    @BeforeEach
    void makeTheDataset() throws Exception {
        dataset = dataset("10", "age,hours,sex\n1,1,Male\n50,2.25,Female\n");
    }

    private String path(String kind) {
        return "/v1/datasets/" + dataset + "/queries/" + kind;
    }

    @Test
    void theStoredAnswerComesBackFreeOfCharge() throws Exception {
        JsonNode first = json(assertStatus(200, ask(dataset, "mean", MEAN)));
        String again = """
                {"reuse":true,"column":"age","epsilon":0.50,"method":"two-sided","upper":125}""";

        HttpResponse<String> reused = assertStatus(200, ask(dataset, "mean", again, "Idempotency-Key", "mine"));

        JsonNode answer = json(reused);
        String original = first.get("queryId").asString();
        assertThat(reused.headers().firstValue("Answer-Reused")).hasValue(original);
        assertThat(reused.headers().firstValue("Idempotency-Key")).hasValue("mine");
        assertThat(reused.headers().firstValue("Content-Length"))
                .hasValue(String.valueOf(reused.body().length()));
        assertThat(answer.propertyNames())
                .containsExactly(
                        "queryId",
                        "datasetId",
                        "kind",
                        "mechanism",
                        "charge",
                        "remaining",
                        "reusedFrom",
                        "answeredAt",
                        "guarantee",
                        "accuracy",
                        "question",
                        "refines",
                        "answer");
        for (String same : List.of("queryId", "mechanism", "guarantee", "accuracy", "question", "answer")) {
            assertThat(answer.get(same)).as(same).isEqualTo(first.get(same));
        }
        assertThat(answer.at("/charge/epsilon").asString()).isEqualTo("0");
        assertThat(answer.at("/remaining/epsilon").asString()).isEqualTo("9.5");
        assertThat(answer.get("reusedFrom").asString()).isEqualTo(original);
        assertThat(answer.get("answeredAt").asString()).endsWith("Z");
        assertThat(spent(dataset)).isEqualTo("0.5");
    }

    /** An analyst with a grant reads the answers to others, with the analyst's own remainder, and never who asked. */
    @Test
    void everybodyWithAGrantReadsWhatIsListed() throws Exception {
        String grant = "['" + dataset + "']";
        String ana = keyFor("analyst", grant);
        JsonNode first = json(assertStatus(200, postAs(ana, path("mean"), MEAN)));
        assertStatus(200, postAs(ana, path("count"), """
                {"epsilon":"0.1"}"""));
        assertStatus(201, postAs(ana, "/v1/datasets/" + dataset + "/threshold-sessions", """
                {"epsilon":"1","threshold":5,"maxPositives":1,"payment":"upfront","queries":"counts"}"""));
        String address = "/v1/queries/" + first.get("queryId").asString();

        for (String reader : List.of(keyFor("viewer", grant), keyFor("analyst", grant), keyFor("custodian", grant))) {
            JsonNode listed = json(assertStatus(200, getAs(reader, "/v1/datasets/" + dataset + "/answers?limit=1")));
            assertThat(listed.at("/items/0/kind").asString()).isEqualTo("count");
            JsonNode rest = json(assertStatus(
                    200,
                    getAs(
                            reader,
                            "/v1/datasets/" + dataset + "/answers?column=age&after="
                                    + listed.get("next").asString())));
            assertThat(rest.get("items")).hasSize(1);
            assertThat(rest.at("/items/0").propertyNames())
                    .containsExactly("queryId", "kind", "question", "answeredAt", "accuracy", "refinable", "refinedBy");
            assertThat(rest.at("/items/0/queryId")).isEqualTo(first.get("queryId"));
            assertThat(rest.at("/items/0/question")).isEqualTo(first.get("question"));
            HttpResponse<String> read = assertStatus(200, getAs(reader, address));
            assertThat(read.headers().firstValue("Answer-Reused"))
                    .hasValue(first.get("queryId").asString());
            assertThat(read.headers().firstValue("ETag")).isEmpty();
            JsonNode answer = json(read);
            assertThat(answer.get("answer")).isEqualTo(first.get("answer"));
            assertThat(answer.at("/charge/epsilon").asString()).isEqualTo("0");
            assertThat(answer.at("/remaining/epsilon").asString()).isEqualTo("8.4");
        }
        assertThat(json(assertStatus(200, getAs(ana, address)))).isEqualTo(first);
        assertProblem(404, "not-found", getAs(keyFor("viewer", "[]"), address));
        assertProblem(404, "not-found", getAs(keyFor("custodian", "[]"), address));
        assertProblem(
                422, "validation-failed", getAs(ana, "/v1/datasets/" + dataset + "/answers?kind=threshold-session"));
    }

    @Test
    void withoutPermissionAndWhenTooOldItIsChargedAgain() throws Exception {
        assertStatus(200, ask(dataset, "mean", MEAN));
        assertStatus(200, ask(dataset, "mean", MEAN.replace("true", "false")));
        assertThat(spent(dataset)).isEqualTo("1");
        Thread.sleep(1_100);
        assertStatus(200, ask(dataset, "mean", MEAN.replace("}", ",\"reuseMaxAgeSeconds\":1}")));
        assertThat(spent(dataset)).isEqualTo("1.5");
    }

    @Test
    void ownQuestionsAreFoundByTheColumnsThatTheyName() throws Exception {
        assertStatus(200, ask(dataset, "mean", MEAN));
        assertStatus(200, ask(dataset, "count", """
                {"epsilon":"0.1"}"""));
        assertStatus(200, ask(dataset, "count", """
                        {"epsilon":"0.1","where":[{"column":"sex","in":["Male"]}]}"""));

        assertThat(kinds("")).containsExactly("mean", "count", "count");
        assertThat(kinds("?column=age")).containsExactly("mean");
        assertThat(kinds("?column=sex&kind=count")).containsExactly("count");
        assertThat(kinds("?column=a")).isEmpty();
    }

    private List<String> kinds(String parameters) throws Exception {
        List<String> kinds = new ArrayList<>();
        json(assertStatus(200, get("/v1/datasets/" + dataset + "/queries" + parameters)))
                .get("items")
                .forEach(item -> kinds.add(item.get("kind").asString()));
        return kinds;
    }

    /** Many clients refresh a dashboard at the same time. Each of its questions is charged once. */
    @Test
    void aDashboardIsChargedOnce() throws Exception {
        List<Callable<Integer>> refreshes = new ArrayList<>();
        for (int i = 0; i < REFRESHES; i++) {
            refreshes.add(() -> {
                for (int age = 0; age < 10; age++) {
                    assertStatus(200, ask(dataset, "count", """
                            {"epsilon":"0.1","reuse":true,"where":[{"column":"age","above":%d}]}""".formatted(age)));
                }
                return 200;
            });
        }
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            for (Future<Integer> done : clients.invokeAll(refreshes)) {
                assertThat(done.get()).isEqualTo(200);
            }
        }
        assertThat(spent(dataset)).isEqualTo("1");
        // The first entry is the limit.
        assertThat(entries(dataset)).isEqualTo(11);
    }
}
