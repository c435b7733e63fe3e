package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Plans that are bought, over HTTP. */
class PlanTests extends RunningService {
    private static final String COUNT = item("count", "'epsilon':'0.1'");
    private static final String MEAN = item("mean", "'epsilon':'0.2','column':'age'");
    private static final String FREE = item("mean", "'epsilon':'0.2','column':'age','spend':false");
    private static final String AGAIN = item("mean", "'epsilon':0.20,'column':'age','reuse':true");

    @Autowired
    private ReservationSweeper sweeper;

    private String dataset = "";

    @BeforeEach
    void makeTheDataset() throws Exception {
        dataset = dataset("1", "age,hours,sex\n1,1,Male\n50,2.25,Female\n");
    }

    private static String item(String kind, String request) {
        return "{'kind':'%s','request':{%s}}".formatted(kind, request).replace('\'', '"');
    }

    private static String plan(String... items) {
        return "{\"questions\":[" + String.join(",", items) + "]}";
    }

    private HttpResponse<String> buy(String key, String plan) throws Exception {
        return buyAs(key(), key, plan);
    }

    private HttpResponse<String> buyAs(String holder, String key, String plan) throws Exception {
        return postAs(holder, "/v1/datasets/" + dataset + "/queries", plan, "Idempotency-Key", key);
    }

    private static JsonNode items(HttpResponse<String> reply) {
        return json(assertStatus(200, reply)).get("items");
    }

    private static boolean isReplayed(HttpResponse<String> reply) {
        return reply.headers().firstValue("Idempotency-Replayed").isPresent();
    }

    @Test
    void everyItemIsAQuestionOfItsOwn() throws Exception {
        HttpResponse<String> reply = buy("k", plan(COUNT, MEAN, COUNT));

        JsonNode items = items(reply);
        assertThat(reply.headers().firstValue("Content-Length"))
                .hasValue(String.valueOf(reply.body().length()));
        assertThat(reply.headers().firstValue("Idempotency-Key")).hasValue("k");
        assertThat(isReplayed(reply)).isFalse();
        Set<String> ids = new LinkedHashSet<>();
        List<String> remaining = new ArrayList<>();
        items.forEach(item -> {
            ids.add(item.get("queryId").asString());
            remaining.add(item.at("/remaining/epsilon").asString());
        });
        assertThat(ids).hasSize(3);
        assertThat(remaining).containsExactly("0.9", "0.7", "0.6");
        assertThat(items.get(1).at("/question/column").asString()).isEqualTo("age");
        assertThat(spent(dataset)).isEqualTo("0.4");
        for (JsonNode item : items) {
            String address = "/v1/queries/" + item.get("queryId").asString();
            assertThat(reply.body()).contains(assertStatus(200, get(address)).body());
            JsonNode receipt = shown(address + "/receipt");
            assertThat(receipt.at("/entry/charge/epsilon")).isEqualTo(item.at("/charge/epsilon"));
        }
        JsonNode own = shown("/v1/datasets/" + dataset + "/queries").get("items");
        assertThat(own).hasSize(3);
        own.forEach(each -> assertThat(each.get("state").asString()).isEqualTo("answered"));
        assertThat(shown("/v1/datasets/" + dataset + "/ledger/verification")
                        .get("valid")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aRetryGetsTheSameBytesAndAnotherBodyIsRefused() throws Exception {
        HttpResponse<String> first = buy("k", plan(COUNT, MEAN, AGAIN));
        items(first);
        assertStatus(200, ask(dataset, "count", quoted("{'epsilon':'0.1'}")));
        assertStatus(
                200,
                send(
                        "PUT",
                        "/v1/datasets/" + dataset + "/budget",
                        "{\"epsilon\":\"7\"}",
                        "Content-Type",
                        "application/json"));

        HttpResponse<String> again = assertStatus(200, buy("k", plan(COUNT, MEAN, AGAIN)));

        assertThat(again.body()).isEqualTo(first.body());
        assertThat(isReplayed(again)).isTrue();
        assertThat(spent(dataset)).isEqualTo("0.4");
        assertProblem(422, "idempotency-key-reused", buy("k", plan(COUNT, MEAN, AGAIN) + " "));
        assertProblem(422, "idempotency-key-reused", buy("k", plan(FREE)));
        // The service makes the key of an item. As the key of a plan, the same key is free.
        String id = json(first).at("/items/0/queryId").asString();
        items(buy(id, plan(COUNT)));
        assertThat(spent(dataset)).isEqualTo("0.5");
    }

    @Test
    void whatDoesNotFitAsAWholeIsRefusedAsAWhole() throws Exception {
        String dear = item("count", "'epsilon':'0.7'");

        JsonNode problem = assertProblem(409, "budget-exhausted", buy("k", plan(COUNT, MEAN, AGAIN, dear, COUNT)));

        assertThat(problem.at("/requested/epsilon").asString()).isEqualTo("1.1");
        assertThat(problem.at("/remaining/epsilon").asString()).isEqualTo("1");
        assertThat(problem.at("/shortfall/epsilon").asString()).isEqualTo("0.1");
        assertThat(problem.get("scope").asString()).isEqualTo("dataset");
        assertThat(problem.get("firstThatDoesNotFit").asInt()).isEqualTo(4);
        assertThat(spent(dataset)).isEqualTo("0");
        assertThat(entries(dataset)).isEqualTo(1);
        items(buy("k", plan(COUNT, MEAN, AGAIN, dear)));
        assertThat(spent(dataset)).isEqualTo("1");
    }

    @Test
    void twoLikeItemsWithReusePayOnce() throws Exception {
        String reusing = item("mean", "'epsilon':'0.2','column':'age','reuse':true");

        JsonNode items = items(buy("k", plan(reusing, COUNT, AGAIN)));

        assertThat(spent(dataset)).isEqualTo("0.3");
        assertThat(items.get(2).get("reusedFrom")).isEqualTo(items.get(0).get("queryId"));
        assertThat(items.get(2).get("answer")).isEqualTo(items.get(0).get("answer"));
        assertThat(items.get(2).at("/charge/epsilon").asString()).isEqualTo("0");
        assertThat(items.get(2).at("/remaining/epsilon").asString()).isEqualTo("0.7");
        assertThat(items.get(0).has("reusedFrom")).isFalse();
    }

    @Test
    void aPlanOfReusedItemsOnlyOccupiesNoKey() throws Exception {
        assertStatus(200, ask(dataset, "mean", quoted("{'epsilon':'0.2','column':'age'}")));
        String analyst = keyFor("analyst", "['" + dataset + "']");

        JsonNode items = items(buyAs(analyst, "k", plan(AGAIN, FREE)));

        assertThat(items.get(0).at("/charge/epsilon").asString()).isEqualTo("0");
        String original = "/v1/queries/" + items.get(0).get("queryId").asString();
        assertStatus(200, getAs(analyst, original));
        items(buyAs(analyst, "k", plan(COUNT)));
        assertThat(spent(dataset)).isEqualTo("0.3");
    }

    @Test
    void whatIsNotStoredIsNamed() throws Exception {
        assertStatus(200, ask(dataset, "mean", quoted("{'epsilon':'0.2','column':'age'}")));
        String free = item("count", "'epsilon':'0.1','spend':false");

        JsonNode problem = assertProblem(409, "nothing-stored", buy("k", plan(FREE, free, MEAN, free)));

        assertThat(problem.get("notStored").toString()).isEqualTo("[1,3]");
        assertThat(problem.at("/charge/epsilon").asString()).isEqualTo("0.2");
        assertThat(spent(dataset)).isEqualTo("0.2");
        // A question that may not be charged can be the same as a charged question of the plan.
        items(buy("k", plan(COUNT, free)));
        assertThat(spent(dataset)).isEqualTo("0.3");
    }

    @Test
    void aViewerBuysNothing() throws Exception {
        String viewer = keyFor("viewer", "['" + dataset + "']");
        assertProblem(409, "nothing-stored", buyAs(viewer, "k", plan(COUNT, MEAN)));
        JsonNode bought = items(buy("k", plan(COUNT, MEAN)));

        JsonNode seen = items(buyAs(viewer, "k", plan(COUNT, MEAN)));

        assertThat(seen.get(0).get("answer")).isEqualTo(bought.get(0).get("answer"));
        assertThat(seen.get(1).get("answer")).isEqualTo(bought.get(1).get("answer"));
        assertProblem(403, "forbidden", buyAs(viewer, "k", plan(COUNT, item("count", "'epsilon':'0.1','spend':true"))));
        assertThat(spent(dataset)).isEqualTo("0.3");
    }

    @Test
    void aProblemNamesItsItem() throws Exception {
        JsonNode problem = assertProblem(
                422,
                "validation-failed",
                buy("k", plan(COUNT, item("mean", "'epsilon':'0.2','column':'agee'"), item("count", "'epsilon':-1"))));
        assertThat(places(problem)).containsExactly("/questions/1/request/column", "/questions/2/request/epsilon");
        JsonNode notPrivate = assertProblem(
                422,
                "mechanism-not-private",
                buy("k", plan(COUNT, item("mean", "'epsilon':'0.2','column':'age','method':'known-count'"))));
        assertThat(notPrivate.get("detail").asString()).startsWith("/questions/1/request");
        assertProblem(422, "validation-failed", buy("k", plan()));
        assertThat(spent(dataset)).isEqualTo("0");
    }

    @Test
    void aPlanHasALimitOfValues() throws Exception {
        String edges = IntStream.range(0, 60_000).mapToObj(String::valueOf).collect(Collectors.joining(","));
        String histogram = item("histogram", "'epsilon':'0.01','column':'age','edges':[" + edges + "]");

        JsonNode problem =
                assertProblem(422, "validation-failed", buy("k", plan(histogram, histogram, histogram, histogram)));

        assertThat(places(problem)).containsExactly("/questions/3/request");
        assertThat(spent(dataset)).isEqualTo("0");
    }

    /** An item with a target is asked at the epsilon that its quote states. */
    @Test
    void aQuotedPlanIsBoughtAsItWasSent() throws Exception {
        String plan = plan(
                item("count", "'targetAlpha':20"), item("mean", "'epsilon':'0.2','column':'age','assumedRows':20"));
        JsonNode quote = json(assertStatus(200, postAs(key(), "/v1/datasets/" + dataset + "/quotes", plan)));

        JsonNode items = items(buy("k", plan));

        assertThat(spent(dataset)).isEqualTo(quote.at("/charge/epsilon").asString());
        assertThat(items.get(0).at("/charge/epsilon")).isEqualTo(quote.at("/items/0/charge/epsilon"));
        assertThat(items.get(0).at("/question/epsilon")).isEqualTo(quote.at("/items/0/epsilon"));
        assertThat(items.get(0).at("/accuracy")).isEqualTo(quote.at("/items/0/accuracy"));
    }

    @Test
    void aPlanWhoseRowsCannotBeReadIsFinishedByARetry() throws Exception {
        takeRowsAway(dataset);
        HttpResponse<String> failed = buy("k", plan(COUNT, MEAN, AGAIN));
        JsonNode problem = assertProblem(503, "temporarily-unavailable", failed);
        assertThat(problem.get("detail").asString()).startsWith("the plan is charged but could not be answered now");
        assertThat(spent(dataset)).isEqualTo("0.3");
        assertProblem(503, "temporarily-unavailable", buy("k", plan(COUNT, MEAN, AGAIN)));
        putRowsBack(dataset);

        JsonNode items = items(buy("k", plan(COUNT, MEAN, AGAIN)));

        assertThat(items.get(2).get("reusedFrom")).isEqualTo(items.get(1).get("queryId"));
        assertThat(spent(dataset)).isEqualTo("0.3");
        assertThat(entries(dataset)).isEqualTo(3);
    }

    /** Each question is resumed by itself. A retry of the plan finds the answers. */
    @Test
    void whatNobodyRepeatsIsAnsweredByTheSweeper() throws Exception {
        takeRowsAway(dataset);
        assertProblem(503, "temporarily-unavailable", buy("k", plan(COUNT, MEAN, AGAIN)));
        putRowsBack(dataset);
        // A sweep answers what the sweep before it saw.
        sweeper.sweep();
        sweeper.sweep();
        JsonNode own = shown("/v1/datasets/" + dataset + "/queries").get("items");
        assertThat(own).hasSize(2);
        own.forEach(each -> assertThat(each.get("state").asString()).isEqualTo("answered"));

        HttpResponse<String> reply = buy("k", plan(COUNT, MEAN, AGAIN));

        assertThat(isReplayed(reply)).isTrue();
        assertThat(items(reply).get(2).get("reusedFrom"))
                .isEqualTo(items(reply).get(1).get("queryId"));
        assertThat(buy("k", plan(COUNT, MEAN, AGAIN)).body()).isEqualTo(reply.body());
        assertThat(spent(dataset)).isEqualTo("0.3");
    }

    /** One plan is sent eight times under one key. Other plans and single questions follow, until nothing remains. */
    @Test
    void plansAtTheSameTimeAreChargedOnceEachAndNotBeyondTheLimit() throws Exception {
        try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
            Set<String> same = new LinkedHashSet<>();
            Callable<HttpResponse<String>> once = () -> buy("same", plan(COUNT, MEAN));
            for (Future<HttpResponse<String>> done : clients.invokeAll(Collections.nCopies(8, once))) {
                same.add(assertStatus(200, done.get()).body());
            }
            assertThat(same).hasSize(1);
            assertThat(spent(dataset)).isEqualTo("0.3");

            List<Callable<HttpResponse<String>>> others = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String key = "other" + i;
                others.add(() -> buy(key, plan(COUNT, COUNT, COUNT)));
                others.add(() -> ask(dataset, "count", "{\"epsilon\":\"0.05\"}"));
            }
            for (Future<HttpResponse<String>> done : clients.invokeAll(others)) {
                if (done.get().statusCode() != 200) {
                    assertProblem(409, "budget-exhausted", done.get());
                }
            }
            // What plans leave is less than one plan. Eight single questions cost more than that.
            assertThat(spent(dataset)).isEqualTo("1");
        }
    }

    @Test
    void aReplayNeedsTheGrantAndTheDataset() throws Exception {
        String name = newName();
        HttpResponse<String> made = makeKey(name, "analyst", "['" + dataset + "']", "");
        String analyst = json(made).get("key").asString();
        items(buyAs(analyst, "k", plan(COUNT)));
        String replaced = ",'replaces':'" + json(made).get("keyId").asString() + "'";
        String other = json(makeKey(name, "analyst", "[]", replaced)).get("key").asString();
        assertProblem(404, "not-found", buyAs(other, "k", plan(COUNT)));
        assertProblem(401, "unauthorized", buyAs(analyst, "k", plan(COUNT)));
        items(buy("k", plan(COUNT)));
        assertStatus(204, send("DELETE", "/v1/datasets/" + dataset, ""));
        assertProblem(404, "not-found", buy("k", plan(COUNT)));
    }
}
