package dev.purser;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A dashboard that eight clients refresh for ever is charged once for each of its questions, also if the service is
 * killed.
 */
@Tag("full")
class ReuseIntegrationTests {
    private static final int REFRESHES = 200;
    private static final int CLIENTS = 8;
    private static final int QUESTIONS = 10;
    private static final int KILLS = 2;
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path folder;

    @Test
    void manyRefreshesMakeTenCharges() throws Exception {
        try (ServiceProcess service =
                        new ServiceProcess(folder, Map.of("PURSER_ADMIN_KEY", LastOfABudgetIntegrationTests.KEY));
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            service.ofAges("visits", LastOfABudgetIntegrationTests.KEY, 1, "", "1\n2\n");
            AtomicInteger left = new AtomicInteger(REFRESHES);
            AtomicInteger reused = new AtomicInteger();
            List<Future<?>> refreshing = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                refreshing.add(clients.submit(() -> {
                    while (left.getAndDecrement() > 0) {
                        refresh(service, reused);
                    }
                    return null;
                }));
            }
            for (int i = 1; i <= KILLS; i++) {
                // The first kill happens during the first questions.
                while (left.get() > REFRESHES - 2 - (i - 1) * REFRESHES / 2) {
                    Thread.sleep(5);
                }
                service.killAndRestart();
            }
            for (Future<?> client : refreshing) {
                client.get();
            }
            assertThat(reused.get()).isGreaterThanOrEqualTo((REFRESHES - CLIENTS) * QUESTIONS);
            JsonNode ledger = JSON.readTree(
                    service.get("/v1/datasets/visits/ledger?limit=1000", LastOfABudgetIntegrationTests.KEY)
                            .body());
            // The first entry is the limit.
            assertThat(ledger.get("items")).hasSize(1 + QUESTIONS);
        }
    }

    /** Asks every question until it is answered. */
    private static void refresh(ServiceProcess service, AtomicInteger reused) throws InterruptedException {
        for (int question = 0; question < QUESTIONS; question++) {
            String body = """
                    {"epsilon":"0.05","beta":0.%d,"reuse":true}""".formatted(10 + question);
            while (!isAnswered(service, body, reused)) {
                Thread.sleep(100);
            }
        }
    }

    private static boolean isAnswered(ServiceProcess service, String body, AtomicInteger reused)
            throws InterruptedException {
        try {
            HttpResponse<String> reply =
                    service.post("/v1/datasets/visits/queries/count", LastOfABudgetIntegrationTests.KEY, body);
            if (reply.headers().firstValue("Answer-Reused").isPresent()) {
                reused.incrementAndGet();
            }
            return reply.statusCode() == 200;
        } catch (IOException killed) {
            return false;
        }
    }
}
