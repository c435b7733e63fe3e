package dev.purser;

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
    private static final Duration LONGER_THAN_A_TRIAL_ENDS = Duration.ofSeconds(2);

    @Test
    void anUploadIsRehearsedAndAParserWaits(@TempDir Path folder) throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder)) {
            Path rehearsal = folder.resolve("home/rehearsal");
            await(() -> Files.exists(rehearsal));
            await(() -> !Files.exists(rehearsal));
            await(() -> service.log().contains("uploads are parsed in a jail"));
            Thread.sleep(LONGER_THAN_A_TRIAL_ENDS);
            Set<Long> waiting = parsers(service);
            assertThat(waiting).hasSize(1);
            Thread.sleep(LONGER_THAN_A_TRIAL_ENDS);
            assertThat(parsers(service)).isEqualTo(waiting);
        }
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
