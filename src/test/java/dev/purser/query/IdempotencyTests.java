package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** One debit per key, no debit beyond the limit, and no refund: over HTTP, also by many clients at once. */
class IdempotencyTests extends RunningService {
    private static final String HEADER = "Idempotency-Key";
    private static final String ROWS = "age,hours,sex\n1,1,Male\n2,2,Female\n";

    @Test
    void theSameKeyTwiceIsTheSameAnswerAndOneDebit() throws Exception {
        String id = dataset("1", ROWS);
        String question = quoted("{'epsilon':'0.25','column':'age'}");
        HttpResponse<String> first = assertStatus(200, ask(id, "mean", question, HEADER, "~a!"));
        HttpResponse<String> second = assertStatus(200, ask(id, "mean", question, HEADER, "~a!"));
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(second.headers().firstValue(HEADER)).hasValue("~a!");
        assertThat(spent(id)).isEqualTo("0.25");
        assertThat(entries(id)).isEqualTo(2);
        assertProblem(422, "idempotency-key-reused", ask(id, "mean", question + " ", HEADER, "~a!"));
        assertProblem(422, "idempotency-key-reused", ask(id, "mean", """
                        {"epsilon":0.25,"column":"age"}""", HEADER, "~a!"));
        // Another path is another identity, and keys differ by case.
        assertStatus(200, ask(id, "sum", question, HEADER, "~a!"));
        assertThat(ask(id, "mean", question, HEADER, "~A!").body()).isNotEqualTo(first.body());
        assertThat(spent(id)).isEqualTo("0.75");
    }

    @Test
    void aReplayNeedsNoBudget() throws Exception {
        String id = dataset("0.1", ROWS);
        HttpResponse<String> first = assertStatus(200, ask(id, "count", quoted("{'epsilon':0.1}"), HEADER, "all"));
        assertProblem(409, "budget-exhausted", ask(id, "count", quoted("{'epsilon':0.1}"), HEADER, "more"));
        assertThat(ask(id, "count", quoted("{'epsilon':0.1}"), HEADER, "all").body())
                .isEqualTo(first.body());
    }

    @Test
    void aKeyMadeHereWorksLikeOneThatWasSent() throws Exception {
        String id = dataset("1", ROWS);
        HttpResponse<String> first = assertStatus(200, ask(id, "count", quoted("{'epsilon':0.5}")));
        String key = first.headers().firstValue(HEADER).orElseThrow();
        HttpResponse<String> again = assertStatus(200, ask(id, "count", quoted("{'epsilon':0.5}"), HEADER, key));
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(spent(id)).isEqualTo("0.5");
        assertThat(assertStatus(409, ask(id, "count", quoted("{'epsilon':2}")))
                        .headers()
                        .firstValue(HEADER))
                .isPresent();
    }

    @Test
    void manyAtOnceWithOneKeyAreOneQuestion() throws Exception {
        String id = dataset("10", ROWS);
        List<HttpResponse<String>> answers = atOnce(64, () -> ask(id, "mean", """
                        {"epsilon":0.1,"column":"hours"}""", HEADER, "burst"));
        Set<String> bodies = new HashSet<>();
        int fresh = 0;
        for (HttpResponse<String> answer : answers) {
            bodies.add(assertStatus(200, answer).body());
            fresh += answer.headers().firstValue("Idempotency-Replayed").isEmpty() ? 1 : 0;
        }
        assertThat(bodies).hasSize(1);
        assertThat(fresh).isEqualTo(1);
        assertThat(spent(id)).isEqualTo("0.1");
        assertThat(entries(id)).isEqualTo(2);
    }

    @Test
    void manyAtOnceGetTheLastBudgetOnce() throws Exception {
        String id = dataset("3", ROWS);
        assertStatus(200, ask(id, "count", quoted("{'epsilon':2}")));
        List<HttpResponse<String>> answers = atOnce(200, () -> ask(id, "count", quoted("{'epsilon':'0.1'}")));
        assertThat(answers.stream().filter(each -> each.statusCode() == 200)).hasSize(10);
        for (HttpResponse<String> answer : answers) {
            if (answer.statusCode() != 200) {
                assertProblem(409, "budget-exhausted", answer);
            }
        }
        assertThat(spent(id)).isEqualTo("3");
        assertThat(entries(id)).isEqualTo(12);
    }

    @Test
    void thirtyTenthsAreThreeAndNotABitMore() throws Exception {
        String id = dataset("3", ROWS);
        for (int i = 0; i < 30; i++) {
            assertStatus(200, ask(id, "count", i % 2 == 0 ? quoted("{'epsilon':0.1}") : quoted("{'epsilon':'0.100'}")));
        }
        JsonNode problem = assertProblem(409, "budget-exhausted", ask(id, "mean", """
                        {"epsilon":0.000001,"column":"age"}"""));
        assertThat(problem.get("requested")).hasToString(quoted("{'epsilon':'0.000001','delta':'0'}"));
        assertThat(problem.get("remaining")).hasToString(quoted("{'epsilon':'0','delta':'0'}"));
        assertThat(problem.get("shortfall")).hasToString(quoted("{'epsilon':'0.000001','delta':'0'}"));
        assertThat(problem.get("scope").asString()).isEqualTo("dataset");
        assertThat(problem.propertyNames())
                .containsExactlyInAnyOrder(
                        "type",
                        "title",
                        "status",
                        "detail",
                        "instance",
                        "requested",
                        "remaining",
                        "shortfall",
                        "scope",
                        "freeFrom",
                        "refines");
        assertThat(get("/v1/datasets/" + id + "/budget").body()).isEqualTo("""
                        {"accountant":"pure","limit":{"epsilon":"3","delta":"0"},"spent":{"epsilon":"3","delta":"0"},\
                        "remaining":{"epsilon":"0","delta":"0"},"remainingIn":"dataset","allotments":[]}""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "", " ", "a\tb"})
    void refusesAKeyOfAnotherForm(String key) throws Exception {
        String id = dataset("1", ROWS);
        JsonNode problem = assertProblem(422, "validation-failed", ask(id, "count", """
                {"epsilon":1}""", HEADER, key));
        assertThat(places(problem)).containsExactly(HEADER);
        assertThat(problem.at("/errors/0").has("header")).isTrue();
        assertThat(spent(id)).isEqualTo("0");
    }

    @Test
    void refusesAKeyThatIsTooLongOrSentTwice() throws Exception {
        String id = dataset("1", ROWS);
        String question = quoted("{'epsilon':0.5}");
        assertProblem(422, "validation-failed", ask(id, "count", question, HEADER, "k".repeat(256)));
        assertProblem(422, "validation-failed", ask(id, "count", question, HEADER, "a", HEADER, "b"));
        assertProblem(422, "validation-failed", ask(id, "count", question, HEADER, "a", HEADER, "a"));
        assertThat(spent(id)).isEqualTo("0");
        assertStatus(200, ask(id, "count", question, HEADER, "k".repeat(255)));
    }

    @Test
    void aQuestionThatFailedAfterItsDebitIsAnsweredLaterUnderTheSameDebit() throws Exception {
        String id = dataset("1", ROWS);
        takeRowsAway(id);
        String question = quoted("{'epsilon':'0.25','column':'age'}");
        HttpResponse<String> failed = ask(id, "mean", question);
        JsonNode problem = assertProblem(503, "temporarily-unavailable", failed);
        assertThat(problem.propertyNames()).containsExactly("type", "title", "status", "detail", "instance", "queryId");
        assertThat(spent(id)).isEqualTo("0.25");
        String key = failed.headers().firstValue(HEADER).orElseThrow();
        // Every failure has the same text, whatever was asked.
        HttpResponse<String> other = ask(id, "count", quoted("{'epsilon':0.5}"), HEADER, "other");
        assertThat(assertProblem(503, "temporarily-unavailable", other).get("detail"))
                .isEqualTo(problem.get("detail"));
        assertThat(other.headers().firstValue(HEADER)).hasValue("other");
        String query = json(get("/v1/datasets/" + id + "/ledger"))
                .at("/items/1/queryId")
                .asString();
        assertProblem(404, "not-found", get("/v1/queries/" + query));
        assertProblem(422, "idempotency-key-reused", ask(id, "mean", question + " ", HEADER, key));
        putRowsBack(id);
        HttpResponse<String> answered = assertStatus(200, ask(id, "mean", question, HEADER, key));
        assertThat(json(answered).get("queryId").asString()).isEqualTo(query);
        assertThat(answered.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(ask(id, "mean", question, HEADER, key).body()).isEqualTo(answered.body());
        assertThat(spent(id)).isEqualTo("0.75");
        assertThat(get("/v1/queries/" + query).body()).isEqualTo(answered.body());
    }

    @Test
    void theLedgerListsEveryDebit() throws Exception {
        String id = dataset("1", ROWS);
        for (int i = 0; i < 4; i++) {
            assertStatus(200, ask(id, "count", quoted("{'epsilon':'0.1'}")));
        }
        String path = "/v1/datasets/" + id + "/ledger";
        JsonNode whole = shown(path);
        assertThat(whole.propertyNames()).containsExactly("items", "next");
        assertThat(whole.get("next").isNull()).isTrue();
        assertThat(whole.get("items").size()).isEqualTo(5);
        JsonNode limit = whole.at("/items/0");
        JsonNode charge = whole.at("/items/4");
        for (JsonNode entry : List.of(limit, charge)) {
            assertThat(entry.propertyNames())
                    .contains(
                            "sequence",
                            "at",
                            "type",
                            "analyst",
                            "queryId",
                            "kind",
                            "charge",
                            "spentAfter",
                            "previousHash",
                            "hash");
        }
        assertThat(limit.get("type").asString()).isEqualTo("limit");
        assertThat(limit.get("queryId").isNull()).isTrue();
        assertThat(limit.get("kind").isNull()).isTrue();
        assertThat(charge.get("sequence")).hasToString("5");
        assertThat(charge.get("type").asString()).isEqualTo("charge");
        assertThat(charge.get("analyst").asString()).isEqualTo("admin");
        assertThat(charge.get("kind").asString()).isEqualTo("count");
        assertThat(charge.get("charge")).hasToString(quoted("{'epsilon':'0.1','delta':'0'}"));
        assertThat(charge.get("spentAfter")).hasToString(quoted("{'epsilon':'0.4','delta':'0'}"));
        assertThat(charge.get("previousHash")).isEqualTo(whole.at("/items/3/hash"));
        assertProblem(404, "not-found", get("/v1/datasets/nowhere/ledger"));
        assertProblem(404, "not-found", get("/v1/datasets/nowhere/budget"));
    }

    private static <T> List<T> atOnce(int times, Callable<T> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                futures.add(threads.submit(work));
            }
            List<T> done = new ArrayList<>();
            for (Future<T> future : futures) {
                done.add(future.get());
            }
            return done;
        }
    }
}
