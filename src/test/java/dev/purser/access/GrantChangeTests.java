package dev.purser.access;

import dev.purser.admission.AdmissionControl;
import dev.purser.web.RunningService;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Grants that change while their holder keeps the key, and allotments that are taken back. */
class GrantChangeTests extends RunningService {
    /** More heavy work than runs at a time. */
    private static final int BEFORE = 32;

    @Autowired
    private AdmissionControl admission;

    @Autowired
    private MeterRegistry meters;

    private HttpResponse<String> change(String keyId, String body) throws Exception {
        return send(
                "PATCH",
                "/v1/keys/" + keyId,
                BodyPublishers.ofString(quoted(body)),
                "Content-Type",
                "application/json");
    }

    private JsonNode made(String changes) throws Exception {
        return json(assertStatus(201, makeKey(newName(), "analyst", "['a','b']", changes)));
    }

    @Test
    void whatIsAbsentStaysAndTheRestIsChangedForTheSameKey() throws Exception {
        JsonNode key = made(",'collections':['c'],'expiresAt':'2099-01-01T00:00:00Z'");
        String keyId = key.get("keyId").asString();
        String token = key.get("key").asString();
        record Step(String body, String datasets, String collections, String expiresAt) {}
        List<Step> steps = List.of(
                new Step("{}", "[\"a\",\"b\"]", "[\"c\"]", "2099-01-01T00:00:00Z"),
                new Step("{'datasets':['x']}", "[\"x\"]", "[\"c\"]", "2099-01-01T00:00:00Z"),
                new Step("{'datasets':null}", "[\"x\"]", "[\"c\"]", "2099-01-01T00:00:00Z"),
                new Step("{'collections':['*']}", "[\"x\"]", "[\"*\"]", "2099-01-01T00:00:00Z"),
                new Step("{'expiresAt':'2098-01-01T00:00:00Z'}", "[\"x\"]", "[\"*\"]", "2098-01-01T00:00:00Z"),
                new Step("{'expiresAt':null}", "[\"x\"]", "[\"*\"]", ""),
                new Step("{'datasets':[],'collections':[]}", "[]", "[]", ""));
        for (Step step : steps) {
            JsonNode changed = json(assertStatus(200, change(keyId, step.body())));
            JsonNode own = json(getAs(token, "/v1/keys/self"));
            for (JsonNode shown : List.of(changed, own)) {
                assertThat(shown.get("datasets")).as(step.body()).hasToString(step.datasets());
                assertThat(shown.get("collections")).as(step.body()).hasToString(step.collections());
                assertThat(shown.get("expiresAt").asString("")).as(step.body()).isEqualTo(step.expiresAt());
                assertThat(shown.get("role").asString()).isEqualTo("analyst");
            }
        }
    }

    @Test
    void neverTheRoleNorANameNorAPastExpiry() throws Exception {
        String keyId = made("").get("keyId").asString();
        for (String body : List.of(
                "{'role':'administrator'}",
                "{'name':'eve'}",
                "{'identity':{'subject':'s'}}",
                "{'expiresAt':'2001-01-01T00:00:00Z'}",
                "{'datasets':['*','a']}",
                "{'datasets':['A']}",
                "[]")) {
            assertProblem(422, "validation-failed", change(keyId, body));
        }
        assertProblem(404, "not-found", change("z".repeat(16), "{'datasets':[]}"));
        assertStatus(204, send("DELETE", "/v1/keys/" + keyId, BodyPublishers.noBody()));
        assertProblem(409, "key-revoked", change(keyId, "{'datasets':[]}"));
    }

    @Test
    void aGrantIsSeenAndTakenAwayAtOnce() throws Exception {
        String custodian = keyFor("custodian", "[]");
        String id = newId();
        assertStatus(201, postAs(custodian, "/v1/datasets", registration(id, COLUMNS, "100", "replace-one", "")));
        JsonNode key = json(assertStatus(201, makeKey(newName(), "analyst", "[]", "")));
        String token = key.get("key").asString();
        assertStatus(404, getAs(token, "/v1/datasets/" + id));
        assertStatus(200, change(key.get("keyId").asString(), "{'datasets':['" + id + "']}"));
        assertStatus(200, getAs(token, "/v1/datasets/" + id));
        assertStatus(200, change(key.get("keyId").asString(), "{'datasets':[]}"));
        assertStatus(404, getAs(token, "/v1/datasets/" + id));
    }

    @Test
    void anAllotmentIsForSomebodyAndIsTakenBack() throws Exception {
        for (String accountant : List.of("pure", "approximate", "zcdp")) {
            String custodian = keyFor("custodian", "[]");
            String id = newId();
            String delta = accountant.equals("pure") ? "0" : "0.001";
            String registration = registration(id, COLUMNS, "10", "replace-one", ",'accountant':'" + accountant + "'");
            assertStatus(
                    201,
                    postAs(
                            custodian,
                            "/v1/datasets",
                            registration.replace("\"delta\":\"0\"", "\"delta\":\"" + delta + "\"")));
            assertStatus(200, uploadAs(custodian, id, "age,hours,sex,of\n1,1,Male," + id + "\n"));
            String name = newName();
            String analyst = keyFor(name, "analyst", "['" + id + "']");
            String path = "/v1/datasets/" + id + "/allotments/";
            String limit = accountant.equals("zcdp") ? "{'epsilon':'1','delta':'0.001'}" : "{'epsilon':'1'}";
            assertProblem(422, "validation-failed", put(custodian, path + newName(), limit));
            assertStatus(200, put(custodian, path + name, limit));
            assertThat(allotments(analyst)).isEqualTo(1);
            String count = quoted("{'epsilon':'2'}");
            assertProblem(409, "budget-exhausted", postAs(analyst, "/v1/datasets/" + id + "/queries/count", count));

            for (int i = 0; i < 2; i++) {
                assertStatus(204, sendAs(custodian, "DELETE", path + name, BodyPublishers.noBody()));
            }
            assertThat(allotments(analyst)).isZero();
            JsonNode shown = shownTo(analyst, "/v1/datasets/" + id + "/budget");
            assertThat(shown.get("allotments").size()).isZero();
            assertThat(shown.get("remainingIn").asString()).isEqualTo("dataset");
            assertStatus(200, postAs(analyst, "/v1/datasets/" + id + "/queries/count", count));
            assertThat(shownTo(custodian, "/v1/datasets/" + id + "/ledger/verification")
                            .get("valid")
                            .asBoolean())
                    .isTrue();
            // What was spent meanwhile counts.
            assertProblem(422, "validation-failed", put(custodian, path + name, limit));
        }
    }

    private int allotments(String key) throws Exception {
        return json(getAs(key, "/v1/keys/self")).get("allotments").size();
    }

    private HttpResponse<String> put(String key, String path, String body) throws Exception {
        return sendAs(key, "PUT", path, BodyPublishers.ofString(quoted(body)), "Content-Type", "application/json");
    }

    /** A heavy question waits for its turn, and is asked with the grants at that time. */
    @Test
    void aGrantThatEndsWhileAQuestionWaitsIsNotAskedWith() throws Exception {
        String column = quoted("{'name':'age','type':'integer','lower':0,'upper':5000}");
        String id = dataset("100", "age,sex\n1,Male\n", "[" + column + "," + SEX + "]", "add-or-remove-one");
        String count = quoted("{'kind':'count','request':{'epsilon':'0.01'}}");
        String plan = "{\"questions\":[" + String.join(",", Collections.nCopies(51, count)) + "]}";
        for (String[] heavy :
                new String[][] {{"/queries/histogram", histogram("1", "age", 0, 5_000)}, {"/queries", plan}}) {
            JsonNode key = json(assertStatus(201, makeKey(newName(), "analyst", "['" + id + "']", "")));
            assertProblem(404, "not-found", replyAfter(key, "/v1/datasets/" + id + heavy[0], heavy[1]));
        }
        assertThat(spent(id)).isEqualTo("0");
    }

    /** The reply to a question whose sender loses its grants while it waits for more heavy work than can run. */
    private HttpResponse<String> replyAfter(JsonNode key, String path, String body) throws Exception {
        String name = key.get("name").asString();
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < BEFORE; i++) {
                threads.submit(() -> admission.<Boolean, InterruptedException>heavily(name, () -> {
                    running.incrementAndGet();
                    return ended.await(30, TimeUnit.SECONDS);
                }));
            }
            await(running, BEFORE);
            Future<HttpResponse<String>> reply =
                    threads.submit(() -> postAs(key.get("key").asString(), path, body, "Idempotency-Key", "heavy"));
            await(running, BEFORE + 1);
            assertStatus(200, change(key.get("keyId").asString(), "{'datasets':[]}"));
            ended.countDown();
            return reply.get();
        }
    }

    private void await(AtomicInteger running, int all) throws InterruptedException {
        while (meters.get("purser.questions.waiting").gauge().value() + running.get() < all) {
            Thread.sleep(10);
        }
    }
}
