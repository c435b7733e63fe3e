package dev.purser;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

/** The probes of a service in trouble, and the status with which it ends. */
@Tag("full")
class HealthTests {
    private static final String READINESS = "/actuator/health/readiness";
    private static final String LIVENESS = "/actuator/health/liveness";
    private static final int MEGABYTE = 1 << 20;

    @TempDir
    Path folder;

    private static ServiceProcess start(Path folder) throws IOException, InterruptedException {
        return new ServiceProcess(
                folder,
                Map.of(),
                ServiceProcess.java(
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PurserApplication.class.getName(),
                        "--spring.main.sources=" + Exhausting.class.getName()));
    }

    @Test
    void isNotReadyWithoutItsLedgerAndEndsWhenAHandlerExhaustsTheMemory() throws Exception {
        try (ServiceProcess service = start(folder)) {
            assertThat(status(service, READINESS)).isEqualTo(200);
            assertThat(service.get(Exhausting.THREADS, service.key()).body())
                    .contains("FatalErrors", "-Poller", "-Acceptor");
            Files.delete(service.home().resolve("ledger.db"));

            assertNotReadyWithinFiveSeconds(service);
            assertEndsAt(Exhausting.HANDLER, service);
        }
    }

    @Test
    void isNotReadyOnAFullDiskAndEndsWhenAFilterExhaustsTheMemory() throws Exception {
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder.toString()))
                .as("a small file system needs root")
                .isZero();
        try (ServiceProcess service = start(folder)) {
            assertThat(status(service, READINESS)).isEqualTo(200);
            Path ballast = folder.resolve("ballast");
            assertThatThrownBy(() -> Files.write(ballast, new byte[64 * MEGABYTE]))
                    .isInstanceOf(IOException.class);

            assertNotReadyWithinFiveSeconds(service);

            Files.delete(ballast);
            await(service, 200);
            assertEndsAt(Exhausting.FILTER, service);
        } finally {
            run("umount", "-l", folder.toString());
        }
    }

    private static void assertNotReadyWithinFiveSeconds(ServiceProcess service) throws Exception {
        Instant start = Instant.now();
        await(service, 503);
        assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofMillis(5_500));
        assertThat(status(service, "/actuator/health")).isEqualTo(503);
        assertThat(status(service, LIVENESS)).isEqualTo(200);
    }

    private static void await(ServiceProcess service, int readiness) throws Exception {
        Instant deadline = Instant.now().plusSeconds(20);
        while (status(service, READINESS) != readiness) {
            assertThat(Instant.now()).isBefore(deadline);
            Thread.sleep(100);
        }
    }

    private static int status(ServiceProcess service, String path) throws Exception {
        HttpResponse<String> response = service.get(path, "");
        return response.statusCode();
    }

    private static void assertEndsAt(String path, ServiceProcess service) throws Exception {
        assertThatThrownBy(() -> service.get(path, service.key())).isInstanceOf(IOException.class);
        assertThat(service.exitStatus()).isEqualTo(3);
        assertThat(service.log())
                .endsWith("Purser ends: the memory is exhausted. Start it again; the ledger is sound.\n");
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor();
    }
}
