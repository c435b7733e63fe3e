package dev.purser;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The packaged service keeps a parser ready before anybody uploads anything. */
class WaitingParserIntegrationTests {
    private static final Duration LONGER_THAN_A_TRIAL_ENDS = Duration.ofSeconds(2);

    @Test
    void aParserWaitsForTheFirstUpload(@TempDir Path folder) throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder)) {
            Instant deadline = Instant.now().plusSeconds(30);
            while (!service.log().contains("uploads are parsed in a jail")
                    && Instant.now().isBefore(deadline)) {
                Thread.sleep(20);
            }
            Thread.sleep(LONGER_THAN_A_TRIAL_ENDS);
            Set<Long> waiting = parsers(service);
            assertThat(waiting).hasSize(1);
            Thread.sleep(LONGER_THAN_A_TRIAL_ENDS);
            assertThat(parsers(service)).isEqualTo(waiting);
        }
    }

    private static Set<Long> parsers(ServiceProcess service) {
        return service.process().children().map(ProcessHandle::pid).collect(Collectors.toSet());
    }
}
