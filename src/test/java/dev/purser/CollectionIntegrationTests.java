package dev.purser;

import dev.purser.collection.CollectionsForTests;
import dev.purser.store.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Reports to the packaged service, which is killed meanwhile. {@code tests.reports} is the number of reports. */
@Tag("full")
class CollectionIntegrationTests {
    private static final int REPORTS = Integer.getInteger("tests.reports", 60_000);
    private static final JsonMapper JSON = new JsonMapper();
    private static final String TRAINING = """
                    {"id":"model","model":"linear","features":1,"protocol":"harmony","epsilon":1,"groupSize":1000}""";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    /** The outcome of the reports that were in flight is unknown, so all reports are sent again. */
    @Test
    void aKillAndTheSameReportsAgainCountEachOnce() throws Exception {
        countOnceOverAKill(Map.of(), REPORTS);
    }

    @Test
    void soItIsOnPostgres() throws Exception {
        countOnceOverAKill(
                LastOfABudgetIntegrationTests.environment(
                        PostgresServer.shared().newDatabase(), folder),
                40_000);
    }

    /**
     * A batch is written in pieces. When it is sent again, the reports that were written before the kill are
     * duplicates.
     */
    @Test
    void theSameBatchAgainCompletesWhatAKillLeft() throws Exception {
        String lines = Files.readString(ReportLines.write(folder.resolve("reports.ndjson"), 50_000));
        String batch = """
                {"reports":[%s]}""".formatted(lines.strip().replace('\n', ','));
        try (ServiceProcess service = new ServiceProcess(folder.resolve("service"));
                ExecutorService sender = Executors.newVirtualThreadPerTaskExecutor()) {
            service.post("/v1/collections", key(service), ReportLines.COLLECTION);
            Future<JsonNode> unknown = sender.submit(() -> count(service, batch));
            while (reports(service) == 0) {
                Thread.sleep(5);
            }
            service.killAndRestart();
            try {
                assertThat(unknown.get().get("accepted").asLong()).isEqualTo(50_000);
            } catch (ExecutionException killed) {
                assertThat(killed).hasCauseInstanceOf(IOException.class);
            }

            long before = reports(service);
            assertThat(before).isPositive();
            assertThat(count(service, batch)).hasToString("""
                    {"accepted":%d,"duplicates":%d}""", 50_000 - before, before);
            assertThat(reports(service)).isEqualTo(50_000);
        }
    }

    private static JsonNode count(ServiceProcess service, String batch) throws Exception {
        return JSON.readTree(service.post("/v1/collections/signs/reports", key(service), batch)
                .body());
    }

    private void countOnceOverAKill(Map<String, String> environment, int count) throws Exception {
        Path lines = ReportLines.write(folder.resolve("reports.ndjson"), count);
        try (ServiceProcess service = new ServiceProcess(folder.resolve("service"), environment);
                ExecutorService sender = Executors.newVirtualThreadPerTaskExecutor()) {
            String key = key(service);
            assertThat(service.post("/v1/collections", key, ReportLines.COLLECTION)
                            .statusCode())
                    .isEqualTo(201);
            assertThat(service.post("/v1/trainings", key, TRAINING).statusCode())
                    .isEqualTo(201);
            List<String> tickets = tickets(service);
            assertThat(gradients(service, tickets.subList(0, 750))).isEqualTo(200);
            Future<Integer> cut = sender.submit(() -> send(service, lines));
            while (reports(service) == 0) {
                Thread.sleep(5);
            }
            Future<Integer> unknown = sender.submit(() -> gradients(service, tickets.subList(750, 1_500)));
            Thread.sleep(10);
            service.killAndRestart();
            assertThatThrownBy(cut::get).as("the upload was cut").hasCauseInstanceOf(Exception.class);
            try {
                assertThat(unknown.get()).isEqualTo(200);
            } catch (ExecutionException killed) {
                assertThat(killed).hasCauseInstanceOf(IOException.class);
            }

            long before = reports(service);
            assertThat(before).isPositive().isLessThan(count);
            assertThat(send(service, lines)).isEqualTo(200);
            assertThat(send(service, lines)).isEqualTo(200);
            assertThat(reports(service)).isEqualTo(count);

            assertThat(gradients(service, tickets)).isEqualTo(200);
            JsonNode training = read(service, "/v1/trainings/model");
            assertThat(training.get("round").asInt()).isEqualTo(2);
            assertThat(training.get("curve")).hasSize(1);
            assertThat(training.get("roundReports").asInt()).isZero();
            assertThat(training.get("unusedReports").asInt()).isEqualTo(500);
        }
    }

    private static String key(ServiceProcess service) throws IOException {
        return Files.exists(service.home().resolve("admin.key")) ? service.key() : LastOfABudgetIntegrationTests.KEY;
    }

    private static List<String> tickets(ServiceProcess service) throws Exception {
        String made =
                service.post("/v1/trainings/model/tickets", key(service), """
                {"count":1500}""").body();
        return JSON.readTree(made)
                .get("tickets")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    private static int gradients(ServiceProcess service, List<String> tickets) throws Exception {
        String reports = CollectionsForTests.gradients(1, tickets, 0, 1);
        return service.post("/v1/trainings/model/reports", key(service), reports)
                .statusCode();
    }

    private static int send(ServiceProcess service, Path lines) throws IOException {
        return service.send(
                "POST", "/v1/collections/signs/reports", key(service), "application/x-ndjson", lines, PATIENCE);
    }

    private static long reports(ServiceProcess service) throws Exception {
        return read(service, "/v1/collections/signs/estimate").get("reports").asLong();
    }

    private static JsonNode read(ServiceProcess service, String path) throws Exception {
        return JSON.readTree(service.get(path, key(service)).body());
    }
}
