package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** An answer that is made better for the difference, over HTTP. */
class RefinementsOverHttpTests extends RunningService {
    private static final String COUNT = """
            {"epsilon":"0.1","where":[{"column":"age","atLeast":33}]}""";

    private static final String MORE = """
            {"epsilon":"0.2"}""";

    private String dataset = "";

    @BeforeEach
    void makeTheDataset() throws Exception {
        dataset = dataset("1000", "age,hours,sex\n1,1,Male\n50,2.25,Female\n");
    }

    private JsonNode asked(String kind, String body) throws Exception {
        return json(assertStatus(200, ask(dataset, kind, body)));
    }

    private static String refinements(JsonNode answer) {
        return "/v1/queries/" + answer.get("queryId").asString() + "/refinements";
    }

    private JsonNode refined(JsonNode answer, String body) throws Exception {
        return json(assertStatus(200, post(refinements(answer), body)));
    }

    private static String of(JsonNode answer, String pointer) {
        return answer.at(pointer).asString();
    }

    @Test
    void theDifferenceIsChargedAndTheSumIsStated() throws Exception {
        JsonNode first = asked("count", COUNT);
        assertThat(first.get("refines").isNull()).isTrue();

        HttpResponse<String> reply = assertStatus(200, post(refinements(first), MORE, "Idempotency-Key", "better"));
        JsonNode better = json(reply);

        assertThat(better.get("kind")).isEqualTo(first.get("kind"));
        assertThat(better.get("refines")).isEqualTo(first.get("queryId"));
        assertThat(of(better, "/charge/epsilon")).isEqualTo("0.2");
        assertThat(of(better, "/guarantee/epsilon")).isEqualTo("0.3");
        assertThat(of(better, "/question/epsilon")).isEqualTo("0.3");
        assertThat(better.at("/question/where")).isEqualTo(first.at("/question/where"));
        assertThat(better.at("/accuracy/alpha").asInt())
                .isEqualTo(asked("count", COUNT.replace("0.1", "0.3"))
                        .at("/accuracy/alpha")
                        .asInt())
                .isLessThan(first.at("/accuracy/alpha").asInt());
        // A retry has the same bytes and no charge, though the answer is refined by now.
        HttpResponse<String> again = assertStatus(200, post(refinements(first), MORE, "Idempotency-Key", "better"));
        assertThat(again.body()).isEqualTo(reply.body());
        assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(spent(dataset)).isEqualTo("0.6");
        // The same question at the sum finds it.
        HttpResponse<String> reused = assertStatus(
                200, ask(dataset, "count", COUNT.replace("0.1", "0.3").replace("{\"eps", "{\"reuse\":true,\"eps")));
        assertThat(json(reused).get("refines")).isNotNull();
        assertThat(spent(dataset)).isEqualTo("0.6");
        JsonNode entries = json(assertStatus(200, get("/v1/datasets/" + dataset + "/ledger")));
        assertThat(entries.get("items")
                        .valueStream()
                        .map(each -> each.get("kind").asString("")))
                .contains("refinement");
    }

    @Test
    void onlyTheNewestIsRefined() throws Exception {
        JsonNode first = asked("count", COUNT);
        JsonNode second = refined(first, MORE);
        JsonNode third = refined(second, MORE);

        JsonNode refusal = assertProblem(409, "already-refined", post(refinements(first), MORE));

        assertThat(refusal.at("/newest/queryId")).isEqualTo(third.get("queryId"));
        assertThat(of(refusal, "/newest/epsilon")).isEqualTo("0.5");
        assertProblem(409, "already-refined", post(refinements(second), MORE));
        assertThat(spent(dataset)).isEqualTo("0.5");
    }

    @Test
    void oneOfFiftyRefinesAnAnswer() throws Exception {
        JsonNode first = asked("count", COUNT);
        try (ExecutorService clients = Executors.newFixedThreadPool(16)) {
            List<Future<Integer>> replies = IntStream.range(0, 50)
                    .mapToObj(i ->
                            clients.submit(() -> post(refinements(first), MORE).statusCode()))
                    .toList();
            int answered = 0;
            for (Future<Integer> reply : replies) {
                int status = reply.get();
                assertThat(status).isIn(200, 409);
                answered += status == 200 ? 1 : 0;
            }
            assertThat(answered).isOne();
        }
        assertThat(spent(dataset)).isEqualTo("0.3");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sum       | "column":"age"
            histogram | "column":"age","edges":[0,40,126]
            mean      | "column":"age"
            mean      | "column":"age","method":"centered"
            mean      | "column":"age","method":"sum-and-count"
            aggregate | "groupBy":[{"column":"sex"}],"aggregates":[{"count":{}},{"variance":{"column":"age"}}]
            """)
    void everythingThatIsMeasuredIsRefined(String kind, String fields) throws Exception {
        JsonNode first = asked(kind, "{\"epsilon\":\"0.1\"," + fields + "}");
        JsonNode better = refined(refined(first, MORE), "{\"epsilon\":\"99\",\"beta\":0.01}");

        assertThat(of(better, "/guarantee/epsilon")).isEqualTo("99.3");
        assertThat(better.at("/accuracy/beta").asDouble()).isEqualTo(0.01);
        assertThat(better.at("/accuracy/alpha").asDouble())
                .isLessThan(first.at("/accuracy/alpha").asDouble());
        assertThat(better.at("/answer").propertyNames())
                .isEqualTo(first.at("/answer").propertyNames());
    }
}
