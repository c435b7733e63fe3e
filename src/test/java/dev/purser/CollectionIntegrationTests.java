package dev.purser;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Reports to the packaged service. {@code purser.test.reports} is their number. */
class CollectionIntegrationTests {
    private static final int REPORTS = Integer.getInteger("purser.test.reports", 200_000);
    private static final JsonMapper JSON = new JsonMapper();
    private static final String REPORTS_PATH = "/v1/collections/signs/reports";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    @Test
    void aKillDuringAnUploadAndTheSameReportsAgainCountEachOnce() throws Exception {
        Path lines = ReportLines.write(folder.resolve("reports.ndjson"), REPORTS);
        try (ServiceProcess service = new ServiceProcess(folder.resolve("service"));
                ExecutorService sender = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(service.post("/v1/collections", service.key(), ReportLines.COLLECTION)
                            .statusCode())
                    .isEqualTo(201);
            Future<Integer> first = sender.submit(() -> send(service, lines));
            while (reports(service) == 0) {
                Thread.sleep(5);
            }
            service.killAndRestart();
            assertThatThrownBy(first::get).as("the upload was cut").hasCauseInstanceOf(Exception.class);

            long before = reports(service);
            assertThat(before).isPositive().isLessThan(REPORTS);
            assertThat(send(service, lines)).isEqualTo(200);
            assertThat(reports(service)).isEqualTo(REPORTS);
            assertThat(send(service, lines)).isEqualTo(200);
            assertThat(reports(service)).isEqualTo(REPORTS);
        }
    }

    /** Two kills, each while a batch is sent. Every ticket counts once, and the round ends where it should. */
    @Test
    void aTrainingGoesOnAfterKills() throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder.resolve("service"))) {
            String key = service.key();
            service.post(
                    "/v1/trainings",
                    key,
                    "{\"id\":\"t\",\"model\":\"linear\",\"features\":1,\"protocol\":\"harmony\",\"epsilon\":1,"
                            + "\"groupSize\":1000}");
            JsonNode made = JSON.readTree(service.post("/v1/trainings/t/tickets", key, "{\"count\":1500}")
                    .body());
            List<String> tickets =
                    made.get("tickets").valueStream().map(JsonNode::asString).toList();
            for (int start = 0; start < tickets.size(); start += 750) {
                String batch = batch(training(service).get("round").asInt(), tickets.subList(start, start + 750));
                Thread sender = Thread.ofVirtual().start(() -> sendQuietly(service, batch));
                Thread.sleep(start / 150);
                service.killAndRestart();
                sender.join();
                // Its outcome is unknown, so it is sent again.
                assertThat(service.post("/v1/trainings/t/reports", key, batch).statusCode())
                        .isEqualTo(200);
            }
            JsonNode training = training(service);
            assertThat(training.get("round").asInt()).isEqualTo(2);
            assertThat(training.get("curve")).hasSize(1);
            assertThat(training.get("roundReports").asInt()).isZero();
            assertThat(training.get("unusedReports").asInt()).isEqualTo(500);
        }
    }

    private static String batch(int round, List<String> tickets) {
        return "{\"round\":" + round + ",\"reports\":["
                + tickets.stream()
                        .map(ticket -> "{\"ticket\":\"" + ticket + "\",\"coordinate\":0,\"sign\":1}")
                        .collect(Collectors.joining(","))
                + "]}";
    }

    private static void sendQuietly(ServiceProcess service, String batch) {
        try {
            service.post("/v1/trainings/t/reports", service.key(), batch);
        } catch (IOException | InterruptedException killed) {
            assertThat(killed).isNotNull();
        }
    }

    private static JsonNode training(ServiceProcess service) throws Exception {
        return JSON.readTree(service.get("/v1/trainings/t", service.key()).body());
    }

    private static int send(ServiceProcess service, Path lines) throws IOException {
        return service.send("POST", REPORTS_PATH, service.key(), "application/x-ndjson", lines, PATIENCE);
    }

    private static long reports(ServiceProcess service) throws Exception {
        String estimate =
                service.get("/v1/collections/signs/estimate", service.key()).body();
        return JSON.readTree(estimate).get("reports").asLong();
    }
}
