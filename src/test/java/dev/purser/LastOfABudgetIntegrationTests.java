package dev.purser;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** A thousand requests at once over HTTP to the packaged service. The budget pays for only ten of them. */
@Tag("full")
class LastOfABudgetIntegrationTests {
    private static final int AT_ONCE = 1_000;
    static final String KEY = "a-key-that-both-of-the-instances-know";
    private static final String ASK = "/v1/datasets/visits/queries/count";
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path folder;

    @Test
    void tenAreAnsweredOnSqlite() throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder, Map.of("PURSER_ADMIN_KEY", KEY))) {
            race(List.of(service));
        }
    }

    @Test
    void tenAreAnsweredOnPostgres() throws Exception {
        try (ServiceProcess service =
                new ServiceProcess(folder, environment(PostgresServer.shared().newDatabase()))) {
            race(List.of(service));
        }
    }

    @Test
    void tenAreAnsweredByTwoInstancesTogether() throws Exception {
        Map<String, String> environment = environment(PostgresServer.shared().newDatabase());
        try (ServiceProcess one = new ServiceProcess(folder.resolve("one"), environment);
                ServiceProcess two = new ServiceProcess(folder.resolve("two"), environment)) {
            race(List.of(one, two));
        }
    }

    private Map<String, String> environment(LedgerSettings database) {
        return environment(database, folder);
    }

    /** The environment of instances that share a database, and the folder of the rows. */
    static Map<String, String> environment(LedgerSettings database, Path folder) {
        return Map.of(
                "PURSER_ADMIN_KEY", KEY,
                "PURSER_LEDGER_URL", database.url(),
                "PURSER_LEDGER_USER", database.user(),
                "PURSER_LEDGER_PASSWORD", database.password(),
                "PURSER_LEDGER_JOURNAL_KEY", database.journalKey().text(),
                "PURSER_DATA", folder.resolve("rows").toString(),
                "PURSER_FINGERPRINT_KEY", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");
    }

    private static void race(List<ServiceProcess> instances) throws Exception {
        instances.getFirst().ofAges("visits", KEY, 1, "", "1\n2\n");

        List<HttpResponse<String>> replies =
                atOnce(i -> instances.get(i % instances.size()).ask(ASK, KEY, "k" + i, """
                        {"epsilon":"0.1"}"""));

        Set<String> answers = new HashSet<>();
        for (HttpResponse<String> reply : replies) {
            JsonNode body = JSON.readTree(reply.body());
            if (reply.statusCode() == 200) {
                answers.add(body.get("queryId").asString());
            } else {
                assertThat(reply.statusCode()).as(reply.body()).isEqualTo(409);
                assertThat(body.get("type").asString()).isEqualTo("/problems/budget-exhausted");
                assertThat(body.get("remaining").get("epsilon").asString()).isEqualTo("0");
            }
        }
        assertThat(answers).hasSize(10);
        for (ServiceProcess instance : instances) {
            JsonNode budget = JSON.readTree(
                    instance.get("/v1/datasets/visits/budget", KEY).body());
            assertThat(budget.get("spent").get("epsilon").asString()).isEqualTo("1");
            JsonNode verification = instance.verifiedLedger("visits", KEY);
            assertThat(verification.get("entries").asInt()).isEqualTo(11);
        }
        sameKeyEverywhere(instances);
    }

    /** All instances repeat byte for byte what one instance has answered. */
    private static void sameKeyEverywhere(List<ServiceProcess> instances) throws Exception {
        Set<String> bodies = new HashSet<>();
        JsonNode own = JSON.readTree(instances
                .getFirst()
                .get("/v1/datasets/visits/queries?limit=1", KEY)
                .body());
        String key = own.get("items").get(0).get("idempotencyKey").asString();
        for (ServiceProcess instance : instances) {
            HttpResponse<String> replay = instance.ask(ASK, KEY, key, """
                    {"epsilon":"0.1"}""");
            assertThat(replay.headers().firstValue("Idempotency-Replayed")).contains("true");
            bodies.add(replay.body());
        }
        assertThat(bodies).hasSize(1);
    }

    /** One request of many. */
    private interface Call {
        HttpResponse<String> make(int number) throws Exception;
    }

    private static List<HttpResponse<String>> atOnce(Call call) throws Exception {
        CyclicBarrier start = new CyclicBarrier(AT_ONCE);
        List<Future<HttpResponse<String>>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < AT_ONCE; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    start.await();
                    return call.make(number);
                }));
            }
        }
        List<HttpResponse<String>> replies = new ArrayList<>();
        for (Future<HttpResponse<String>> each : all) {
            replies.add(each.get());
        }
        return replies;
    }
}
