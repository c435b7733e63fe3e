package dev.purser;

import dev.purser.start.PreparedStart;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The packaged service gets ready for its first upload by itself. */
class FirstUploadIntegrationTests {
    private static final Path JAR = Path.of(System.getProperty("purser.jar"));
    private static final Duration LONGER_THAN_A_TRIAL_ENDS = Duration.ofSeconds(2);
    private static final Duration LONGER_THAN_UNTIL_A_REHEARSAL = Duration.ofSeconds(4);

    @Test
    void anUploadIsRehearsedAndTwoParsersWait(@TempDir Path folder) throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder)) {
            Path rehearsal = folder.resolve("home/rehearsal");
            await(() -> Files.exists(rehearsal));
            await(() -> !Files.exists(rehearsal));
            await(() -> service.log().contains("uploads are parsed in a jail"));
            Thread.sleep(LONGER_THAN_A_TRIAL_ENDS);
            Set<Long> waiting = parsers(service);
            assertThat(waiting).hasSize(2);
            Thread.sleep(LONGER_THAN_A_TRIAL_ENDS);
            assertThat(parsers(service)).isEqualTo(waiting);
            String unpacked = PreparedStart.beside(JAR).libraries() + "/libduckdb_java.so_linux_";
            for (long parser : waiting) {
                Path maps = Path.of("/proc/" + parser + "/maps");
                await(() -> Files.readString(maps).contains(unpacked));
            }
        }
    }

    @Test
    void aRehearsalGivesWayToAnUpload(@TempDir Path folder) throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder);
                Socket upload = beginUpload(service)) {
            Instant rehearsed = Instant.now().plus(LONGER_THAN_UNTIL_A_REHEARSAL);
            while (Instant.now().isBefore(rehearsed)) {
                assertThat(folder.resolve("home/rehearsal")).doesNotExist();
                Thread.sleep(5);
            }
            assertThat(upload.getInputStream().available()).isZero();
        }
    }

    /** Sends the head of an upload, and not its rows. */
    private static Socket beginUpload(ServiceProcess service) throws IOException, InterruptedException {
        String registration = """
                {"id": "first", "columns": [{"name": "age", "type": "integer", "lower": 0, "upper": 110}],
                 "privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one", "maxRows": 100,
                 "budget": {"epsilon": "1"}, "accountant": "pure", "source": {"type": "upload"}}""";
        assertThat(service.post("/v1/datasets", service.key(), registration).statusCode())
                .isEqualTo(201);
        URI address = URI.create(service.address());
        Socket socket = new Socket(address.getHost(), address.getPort());
        socket.getOutputStream().write(("""
                PUT /v1/datasets/first/data HTTP/1.1\r
                Host: x\r
                Authorization: Bearer %s\r
                Content-Type: text/csv\r
                Content-Length: 1000\r
                \r
                age
                """).formatted(service.key()).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        Instant deadline = Instant.now().plusSeconds(30);
        while (!condition.call()) {
            assertThat(Instant.now()).isBefore(deadline);
            Thread.sleep(5);
        }
    }

    private static Set<Long> parsers(ServiceProcess service) {
        return service.process().children().map(ProcessHandle::pid).collect(Collectors.toSet());
    }
}
