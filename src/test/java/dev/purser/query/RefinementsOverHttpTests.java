package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Refinements over HTTP: a more precise answer is charged only the difference. */
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
        // A retry has the same bytes and no charge, although the answer has been refined since.
        HttpResponse<String> again = assertStatus(200, post(refinements(first), MORE, "Idempotency-Key", "better"));
        assertThat(again.body()).isEqualTo(reply.body());
        assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(spent(dataset)).isEqualTo("0.6");
        // The same question at the sum of the epsilons finds the refinement.
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            quantile | "column":"age","probabilities":[0.5] | selected
            mean     | "column":"age","method":"auto-clip"  | selected
            """)
    void whatIsSelectedIsNotRefined(String kind, String fields, String why) throws Exception {
        JsonNode answer = asked(kind, "{\"epsilon\":\"1\"," + fields + "}");

        JsonNode refusal = assertProblem(422, "not-refinable", post(refinements(answer), MORE));

        assertThat(of(refusal, "/detail")).contains(why);
        assertThat(spent(dataset)).isEqualTo("1");
    }

    @Test
    void aChainAddsUpToAHundred() throws Exception {
        JsonNode first = asked("count", COUNT);
        JsonNode refusal = assertProblem(422, "not-refinable", post(refinements(first), "{\"epsilon\":\"99.9001\"}"));
        assertThat(of(refusal, "/detail")).contains("100.0001");
        assertThat(of(refined(first, "{\"epsilon\":\"99.9\"}"), "/guarantee/epsilon"))
                .isEqualTo("100");
    }

    @Test
    void onlyWhoMayReadAnAnswerAndAskRefinesIt() throws Exception {
        JsonNode first = asked("count", COUNT);
        String grant = "['" + dataset + "']";
        assertProblem(404, "not-found", post("/v1/queries/01J00000000000000000000000/refinements", MORE));
        assertProblem(404, "not-found", postAs(keyFor("analyst", "[]"), refinements(first), MORE));
        assertProblem(403, "forbidden", postAs(keyFor("viewer", grant), refinements(first), MORE));
        JsonNode better = json(assertStatus(200, postAs(keyFor("analyst", grant), refinements(first), MORE)));
        assertThat(better.get("refines")).isEqualTo(first.get("queryId"));
    }

    @Test
    void listsSayWhatCanBeRefined() throws Exception {
        JsonNode first = asked("count", COUNT);
        JsonNode better = refined(first, MORE);
        for (String list : List.of("/queries?order=asc", "/answers?order=asc")) {
            JsonNode items = json(assertStatus(200, get("/v1/datasets/" + dataset + list)))
                    .get("items");
            assertThat(items.get(0).get("refinable").asBoolean()).isFalse();
            assertThat(items.get(0).get("refinedBy")).isEqualTo(better.get("queryId"));
            assertThat(items.get(1).get("refinable").asBoolean()).isTrue();
            assertThat(items.get(1).get("refinedBy").isNull()).isTrue();
        }
    }

    @Test
    void aRefinedTableIsSentAsCsv() throws Exception {
        JsonNode first = asked("histogram", """
                {"epsilon":"0.1","column":"age","edges":[0,40,126]}""");
        JsonNode better = refined(first, MORE);
        HttpResponse<String> table =
                assertStatus(200, get("/v1/queries/" + better.get("queryId").asString(), "Accept", "text/csv"));
        assertThat(table.body())
                .contains("count")
                .contains(better.at("/answer/bins/0/count").asString());
    }

    @Test
    void aQuoteNamesWhatCanBeRefinedInPlace() throws Exception {
        JsonNode first = asked("count", COUNT);
        String quotes = "/v1/datasets/" + dataset + "/quotes/";

        JsonNode quote = json(assertStatus(200, post(quotes + "count", COUNT.replace("0.1", "1"))));

        assertThat(quote.at("/refines/queryId")).isEqualTo(first.get("queryId"));
        assertThat(of(quote, "/refines/epsilon")).isEqualTo("0.1");
        assertThat(of(quote, "/refines/charge/epsilon")).isEqualTo("0.9");
        assertThat(quote.at("/refines/alpha")).isEqualTo(quote.at("/accuracy/alpha"));
        // An answer is not refined to less, and not to another question.
        for (String other : List.of(COUNT, COUNT.replace("33", "34"), "{\"epsilon\":\"1\"}")) {
            assertThat(json(assertStatus(200, post(quotes + "count", other)))
                            .get("refines")
                            .isNull())
                    .isTrue();
        }
        String answer = "\"queryId\":" + first.get("queryId");
        JsonNode priced = json(assertStatus(200, post(quotes + "refinement", "{" + answer + ",\"epsilon\":\"0.9\"}")));
        assertThat(of(priced, "/charge/epsilon")).isEqualTo("0.9");
        assertThat(priced.at("/accuracy/alpha")).isEqualTo(quote.at("/accuracy/alpha"));
        assertThat(priced.get("affordable").asBoolean()).isTrue();
        JsonNode least = json(assertStatus(200, post(quotes + "refinement", "{" + answer + ",\"targetAlpha\":3}")));
        JsonNode better = refined(first, "{\"epsilon\":" + least.get("epsilon") + "}");
        assertThat(better.at("/accuracy/alpha").asInt()).isEqualTo(3);
    }

    @Test
    void whatIsNotLeftForAQuestionMayBeEnoughForTheDifference() throws Exception {
        String small = dataset("1", "age,hours,sex\n1,2,Male\n50,2.25,Female\n");
        JsonNode first = json(assertStatus(200, ask(small, "count", COUNT.replace("0.1", "0.5"))));

        JsonNode refusal = assertProblem(409, "budget-exhausted", ask(small, "count", COUNT.replace("0.1", "0.9")));

        assertThat(refusal.at("/refines/queryId")).isEqualTo(first.get("queryId"));
        assertThat(of(refusal, "/refines/charge/epsilon")).isEqualTo("0.4");
        assertThat(assertProblem(409, "budget-exhausted", ask(small, "count", COUNT.replace("0.1", "1.1")))
                        .get("refines")
                        .isNull())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{'epsilon':'0'}",
                "{'epsilon':'-0.1'}",
                "{'epsilon':'1e-1'}",
                "{'epsilon':'NaN'}",
                "{'epsilon':'0.0000000001'}",
                "{'epsilon':'9223372036.854775807'}",
                "{'epsilon':'0.1','beta':0}",
                "{'epsilon':'0.1','beta':1}",
                "{'epsilon':'0.1','delta':'0.001'}",
                "{'epsilon':'0.1','where':[]}"
            })
    void whatBreaksARuleIsRefusedAndLeavesTheAnswerAsItIs(String body) throws Exception {
        JsonNode first = asked("count", COUNT);
        assertProblem(422, "validation-failed", post(refinements(first), quoted(body)));
        assertThat(spent(dataset)).isEqualTo("0.1");
        assertThat(of(refined(first, MORE), "/charge/epsilon")).isEqualTo("0.2");
    }

    @Test
    void aKeyIsForOneBodyAndAReplayIsForWhoMayStillReadTheAnswer() throws Exception {
        JsonNode first = asked("count", COUNT);
        String name = newName();
        String ana = keyFor(name, "analyst", "['" + dataset + "']");
        String[] key = {"Idempotency-Key", "mine"};
        HttpResponse<String> better = assertStatus(200, postAs(ana, refinements(first), MORE, key));

        assertProblem(422, "idempotency-key-reused", postAs(ana, refinements(first), "{\"epsilon\":\"0.3\"}", key));
        assertThat(postAs(ana, refinements(first), MORE, key).body()).isEqualTo(better.body());
        // The same key under another answer's address is another request.
        assertStatus(200, postAs(ana, refinements(json(better)), MORE, key));
        assertStatus(204, send("DELETE", "/v1/datasets/" + dataset, ""));
        assertProblem(404, "not-found", postAs(ana, refinements(first), MORE, key));
        assertProblem(404, "not-found", postAs(ana, refinements(json(better)), MORE));
    }

    @Test
    void whatAnAllotmentDoesNotCoverIsNotChargedAndDoesNotEndTheChain() throws Exception {
        JsonNode first = asked("count", COUNT);
        String name = newName();
        String ana = keyFor(name, "analyst", "['" + dataset + "']");
        assertStatus(
                200,
                send(
                        "PUT",
                        "/v1/datasets/" + dataset + "/allotments/" + name,
                        "{\"epsilon\":\"0.15\"}",
                        "Content-Type",
                        "application/json"));

        JsonNode refusal = assertProblem(409, "budget-exhausted", postAs(ana, refinements(first), MORE));

        assertThat(of(refusal, "/scope")).isEqualTo("analyst");
        assertThat(of(refusal, "/requested/epsilon")).isEqualTo("0.2");
        assertThat(spent(dataset)).isEqualTo("0.1");
        assertThat(of(refined(first, MORE), "/guarantee/epsilon")).isEqualTo("0.3");
    }

    /** When the answer is refined, the newest block is another one. */
    @Test
    void aRefinementIsAboutTheBlocksOfTheAnswer() throws Exception {
        String id = registered(
                quoted("[{'name':'day','type':'date','lower':'2026-03-01','upper':'2026-03-02'}]"),
                "1",
                "add-or-remove-one",
                ",'blocks':{'column':'day','width':'day','rowsKeepTheirBlock':true}");
        load(id, "2026-03-01");
        JsonNode first = json(assertStatus(200, ask(id, "count", quoted("{'epsilon':'0.5','blocks':{'latest':1}}"))));
        load(id, "2026-03-02");

        JsonNode better = refined(first, MORE);

        assertThat(better.at("/question/blocks")).isEqualTo(first.at("/question/blocks"));
        JsonNode runs = shown("/v1/datasets/" + id + "/blocks").get("items");
        assertThat(of(runs, "/0/spent/epsilon")).isEqualTo("0.7");
        assertThat(of(runs, "/1/spent/epsilon")).isEqualTo("0");
        // Each of the blocks pays. If one block cannot pay, the refinement is refused.
        assertProblem(409, "budget-exhausted", post(refinements(better), "{\"epsilon\":\"0.4\"}"));
        assertThat(of(refined(better, "{\"epsilon\":\"0.3\"}"), "/guarantee/epsilon"))
                .isEqualTo("1");
    }

    private void load(String id, String day) throws Exception {
        String csv = ofItsOwn(id, "day\n" + day + "\n");
        assertStatus(
                200, send("PUT", "/v1/datasets/" + id + "/blocks/" + day + "/data", csv, "Content-Type", "text/csv"));
    }

    /** Two hundred chains of ten steps have the same spread as two hundred counts at the sum of the epsilons. */
    @Test
    @Tag("full")
    void tenStepsHaveTheErrorOfOneQuestion() throws Exception {
        int chains = 200;
        double squares = 0;
        for (int i = 0; i < chains; i++) {
            JsonNode answer = asked("count", "{\"epsilon\":\"0.05\"}");
            for (int step = 1; step < 10; step++) {
                answer = refined(answer, "{\"epsilon\":\"0.05\"}");
            }
            squares += Math.pow(answer.at("/answer/count").asDouble() - 2, 2);
        }
        assertThat(spent(dataset)).isEqualTo("100");
        // The variance at 0.5 is 7.84. A mean of 200 squares is outside of these bounds less than once in 100,000 runs.
        double q = Math.exp(-0.5);
        double variance = 2 * q / Math.pow(1 - q, 2);
        assertThat(squares / chains).isBetween(variance * 0.45, variance * 2.2);
    }
}
