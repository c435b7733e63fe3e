package dev.purser;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Reports to the packaged service. {@code purser.test.reports} is their number. */
class CollectionIntegrationTests {
    private static final int REPORTS = Integer.getInteger("purser.test.reports", 300_000);
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

    private static int send(ServiceProcess service, Path lines) throws IOException {
        return service.send("POST", REPORTS_PATH, service.key(), "application/x-ndjson", lines, PATIENCE);
    }

    private static long reports(ServiceProcess service) throws Exception {
        String estimate = service.get("/v1/collections/signs/estimate", service.key()).body();
        return new JsonMapper().readTree(estimate).get("reports").asLong();
    }
}
